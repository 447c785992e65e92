import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

@Suite struct RequestStoreTests {
    private func store(_ cast: DealCast) -> RequestStore {
        RequestStore(
            library: cast.library, board: "beats", links: HubLinks(publicURL: HubHousehold.publicURL)
        ) { event in
            event.act.map { "said: \($0.kind.rawValue)" } ?? "asks for a beat"
        }
    }

    @discardableResult
    private func ask(
        _ cast: DealCast, by asker: AccountID? = nil, words: String = "Slow, with rain", clip: HubID? = nil,
        reference: HubID? = nil, key: String = UUID().uuidString
    ) async throws(RequestRefusal) -> HubID {
        let draft = RequestDraft(to: cast.pia, words: words, clip: clip, reference: reference, key: key)
        return try await store(cast).ask(draft, by: asker ?? cast.ann)
    }

    /// What was written to somebody, the oldest first, and by whom.
    private func letters(to account: AccountID, _ cast: DealCast) async throws -> [String] {
        let reader = cast.library.seen(by: .member(account))
        let threads = try await reader.threads()
        #expect(threads.count <= 1)
        return try await reader.posts(at: threads.flatMap(\.posts)).reversed().map { "\($0.author.handle): \($0.text)" }
    }

    private func sound(of account: AccountID, _ cast: DealCast) async throws -> HubID {
        let id = HubID()
        try await cast.house.change(
            """
            INSERT INTO clips (id, title, fileName, contentType, bytes, sha256, created, owner)
            VALUES ('\(id)', 'Hum', 'a.mp3', 'audio/mpeg', 3, '00', 0, '\(account)')
            """)
        return id
    }

    @Test
    func `a beat is asked for, priced, countered, agreed, paid and delivered, and both read it in one conversation`()
        async throws
    {
        let cast = try await DealCast()
        let store = store(cast)
        let id = try await ask(cast, words: "Like @eve did, ann@example.org", key: "k")
        #expect(try await ask(cast, words: "Like @eve did, ann@example.org", key: "k") == id)
        try await store.act(.price(DealCast.euros(9000)), on: id, seen: 0, by: cast.pia, words: "Two weeks")
        try await store.act(.counter(DealCast.euros(7000)), on: id, seen: 1, by: cast.ann)
        try await store.act(.counter(DealCast.euros(8000)), on: id, seen: 2, by: cast.pia)
        let agreed = try await store.act(.agree(DealCast.euros(8000)), on: id, seen: 3, by: cast.ann)
        #expect(agreed.state.phase == .agreed)
        #expect(agreed.expires == cast.house.now.addingTimeInterval(7 * 86_400))
        for _ in 0..<2 {
            try await cast.library.transact {
                try store.paid(id, DealCast.euros(8000), payment: "order1", in: $0)
            }
        }
        for _ in 0..<2 {
            try await cast.library.transact { try store.delivered(id, delivery: "grant1", in: $0) }
        }
        let page = "https://clips.example.org/beats/requests/\(id)"
        let expected = [
            "ann: @pia asks for a beat\nLike @\u{2060}eve did, ann@example.org\n\(page)",
            "pia: @ann said: price\nTwo weeks\n\(page)", "ann: @pia said: counter\n\(page)",
            "pia: @ann said: counter\n\(page)", "ann: @pia said: agree\n\(page)", "ann: @pia said: pay\n\(page)",
            "pia: @ann said: deliver\n\(page)",
        ]
        #expect(try await letters(to: cast.pia, cast) == expected)
        #expect(try await letters(to: cast.ann, cast) == expected)
        #expect(try await letters(to: cast.eve, cast).isEmpty)
        let seen = try #require(try await store.request(id, for: cast.pia))
        #expect(try await store.request(id, for: cast.ann) == seen)
        #expect(seen.state.phase == .delivered)
        #expect(seen.state.money == DealCast.euros(8000))
        #expect(try await store.request(id, for: cast.eve) == nil)
        #expect(try await store.moves(of: id, for: cast.eve).isEmpty)
        let moves = try await store.moves(of: id, for: cast.ann)
        #expect(moves.map(\.act) == [.price, .counter, .counter, .agree, .pay, .deliver])
        #expect(moves.map(\.side) == [.producer, .asker, .producer, .asker, .asker, .producer])
        #expect(moves.compactMap(\.money?.amount) == [9000, 7000, 8000, 8000, 8000])
    }

    @Test func `who may not ask is told why`() async throws {
        let cast = try await DealCast()
        let store = store(cast)
        func refusal(_ draft: RequestDraft, by asker: AccountID? = nil) async -> RequestRefusal? {
            do throws(RequestRefusal) { _ = try await store.ask(draft, by: asker ?? cast.ann) } catch { return error }
            return nil
        }
        let long = String(repeating: "a", count: 2001)
        let eves = try await sound(of: cast.eve, cast)
        #expect(await refusal(.init(to: cast.pia, words: " ", key: "a")) == .empty)
        #expect(await refusal(.init(to: cast.pia, words: long, key: "a")) == .tooLong(most: 2000))
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "")) == .key(most: 200))
        #expect(await refusal(.init(to: cast.bob, words: "x", key: "a")) == .notProducer)
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "a"), by: cast.pia) == .own)
        #expect(await refusal(.init(to: AccountID(rawValue: "none"), words: "x", key: "a")) == .notFound)
        #expect(await refusal(.init(to: cast.pia, words: "x", clip: eves, key: "a")) == .notYours)
        #expect(await refusal(.init(to: cast.pia, words: "x", reference: HubID(), key: "a")) == .notFound)
        let new = try await cast.house.person("new", state: "unconfirmed")
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "a"), by: new) == .noAccount)
        try await cast.library.block(cast.eve, by: cast.pia)
        try await cast.library.block(cast.pia, by: cast.bob)
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "a"), by: cast.eve) == .notFound)
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "a"), by: cast.bob) == .notFound)
        #expect(try await cast.count("SELECT COUNT(*) FROM requests") == 0)
        for _ in 0..<3 { try await ask(cast) }
        #expect(await refusal(.init(to: cast.pia, words: "x", key: "a")) == .enough(most: 3))
        try await cast.house.change("UPDATE requests SET created = created, changed = changed")
    }

    @Test func `nobody asks more than ten times a day`() async throws {
        let cast = try await DealCast()
        let store = store(cast)
        for _ in 0..<10 {
            let id = try await ask(cast)
            try await store.act(.decline, on: id, seen: 0, by: cast.pia)
        }
        cast.house.wait(3600)
        await #expect(throws: RequestRefusal.tooOften(most: 10, seconds: 23 * 3600)) { try await ask(cast) }
        cast.house.wait(23 * 3600)
        try await ask(cast)
    }

    @Test func `a clip goes to the producer's ears alone, and a track may stand for what is wanted`() async throws {
        let cast = try await DealCast()
        let (clip, beat) = (try await sound(of: cast.ann, cast), try await cast.beat(by: cast.bob))
        let id = try await ask(cast, words: "", clip: clip, reference: beat)
        let request = try #require(try await store(cast).request(id, for: cast.pia))
        #expect(request.clip == clip)
        #expect(request.reference == beat)
        #expect(try await cast.library.seen(by: .member(cast.pia)).sent(clip)?.id == clip)
        #expect(try await cast.library.seen(by: .member(cast.eve)).sent(clip) == nil)
        #expect(try await cast.count("SELECT shared FROM clips") == 0)
    }

    @Test func `nothing is done out of turn, by strangers, or upon what has changed`() async throws {
        let cast = try await DealCast()
        let store = store(cast)
        let id = try await ask(cast)
        func refusal(_ act: RequestState.Act, _ seen: Int, _ account: AccountID) async -> RequestRefusal? {
            do throws(RequestRefusal) { _ = try await store.act(act, on: id, seen: seen, by: account) } catch {
                return error
            }
            return nil
        }
        let price = DealCast.euros(9000)
        #expect(await refusal(.price(price), 0, cast.ann) == .notYourTurn(.producer, .asked))
        #expect(await refusal(.price(price), 0, cast.eve) == .notFound)
        #expect(await refusal(.agree(price), 0, cast.pia) == .notNow(.agree, .asked))
        #expect(await refusal(.price(price), 1, cast.pia) == .changed(moves: 0))
        #expect(await refusal(.price(price), 0, cast.pia) == nil)
        // Sent twice it is one act; another in its place comes too late.
        #expect(await refusal(.price(price), 0, cast.pia) == nil)
        #expect(await refusal(.price(DealCast.euros(1)), 0, cast.pia) == .changed(moves: 1))
        #expect(await refusal(.agree(DealCast.euros(1)), 1, cast.ann) == .amount(price))
        // Nobody says herself that she has paid, or delivered.
        #expect(await refusal(.pay(price), 1, cast.ann) == .notNow(.pay, .priced))
        #expect(await refusal(.deliver, 1, cast.pia) == .notNow(.deliver, .priced))
        try await cast.library.block(cast.ann, by: cast.pia)
        #expect(await refusal(.agree(price), 1, cast.ann) == .notFound)
        #expect(await refusal(.decline, 1, cast.ann) == nil)
        #expect(await refusal(.agree(price), 2, cast.ann) == .notFound)
        #expect(try await cast.count("SELECT COUNT(*) FROM requestMoves") == 2)
    }

    @Test func `what nobody has moved in time expires once, and late money is refused`() async throws {
        let cast = try await DealCast()
        let store = store(cast)
        let (waits, agreed) = (try await ask(cast), try await ask(cast))
        try await store.act(.price(DealCast.euros(100)), on: agreed, seen: 0, by: cast.pia)
        try await store.act(.agree(DealCast.euros(100)), on: agreed, seen: 1, by: cast.ann)
        cast.house.wait(7 * 86_400 - 1)
        #expect(try await store.expire(at: cast.house.now) == 0)
        cast.house.wait(1)
        // Also before somebody sweeps.
        await #expect(throws: RequestRefusal.over(.expired)) {
            try await cast.library.transact { try store.paid(agreed, DealCast.euros(100), payment: "p", in: $0) }
        }
        #expect(try await store.expire(at: cast.house.now) == 1)
        #expect(try await store.expire(at: cast.house.now) == 0)
        cast.house.wait(7 * 86_400)
        #expect(try await store.expire(at: cast.house.now) == 1)
        for id in [waits, agreed] {
            #expect(try await store.request(id, for: cast.ann)?.state.phase == .expired)
            #expect(try await cast.told(cast.ann).contains("request:\(id):expired"))
            #expect(try await cast.told(cast.pia).contains("request:\(id):expired"))
        }
        #expect(try await store.moves(of: waits, for: cast.ann).map(\.side) == [nil])
    }

    @Test func `of all that both sides try at once each act has one winner, and the agreed amount stays`() async throws
    {
        let cast = try await DealCast()
        let store = store(cast)
        let id = try await ask(cast)
        var random = SplitMix(state: 3)
        var amounts: Set<Int64> = []
        var seen = 0
        while seen < 40 {
            let before = seen
            // Fifty callers, of both sides, upon the same state; each wants something else.
            let tries = (0..<50).map { number in
                (number % 2 == 0 ? cast.pia : cast.ann, Int64(1000 + random.below(9000)), number)
            }
            let winners = await withTaskGroup(of: Bool.self) { group in
                for (account, cents, number) in tries {
                    group.addTask {
                        let money = DealCast.euros(cents)
                        let act: RequestState.Act = before == 0 ? .price(money) : .counter(money)
                        do throws(RequestRefusal) {
                            try await store.act(act, on: id, seen: before, by: account, words: "\(number)")
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
            seen += 1
            let request = try #require(try await store.request(id, for: cast.ann))
            #expect(request.state.moves == seen)
            amounts.insert(request.state.money?.amount ?? 0)
        }
        #expect(amounts.count > 20)
        let last = try #require(try await store.request(id, for: cast.ann)?.state.money)
        // Agreeing, declining and naming another price at once: one of them is what happens.
        let outcomes = await withTaskGroup(of: RequestState.Phase?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let acts: [RequestState.Act] = [.agree(last), .decline, .counter(DealCast.euros(1))]
                    do throws(RequestRefusal) {
                        return try await store.act(
                            acts[number % 3], on: id, seen: 40, by: number % 2 == 0 ? cast.pia : cast.ann,
                            words: "\(number)"
                        ).state.phase
                    } catch { return nil }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(outcomes.count == 1)
        #expect(try await store.request(id, for: cast.pia)?.state.phase == outcomes.first)
        #expect(try await store.request(id, for: cast.pia)?.state.money == last)
        #expect(try await cast.count("SELECT COUNT(*) FROM requestMoves") == 41)
    }

    @Test(arguments: [
        "UPDATE requests SET amount = 1", "UPDATE requests SET currency = 'USD'", "UPDATE requests SET phase = 'asked'",
        "UPDATE requests SET phase = 'countered', amount = 1, moves = moves + 1",
        "UPDATE requests SET phase = 'paid', amount = 1, moves = moves + 1", "UPDATE requests SET asker = 'id-eve'",
        "UPDATE requestMoves SET amount = 1", "DELETE FROM requestMoves",
        "INSERT INTO requestMoves (request, number, side, act, at) VALUES (1, 9, 'asker', 'pay', 0)",
    ])
    func `the tables themselves keep an agreed amount`(_ sql: String) async throws {
        let cast = try await DealCast()
        let id = try await ask(cast)
        try await store(cast).act(.price(DealCast.euros(100)), on: id, seen: 0, by: cast.pia)
        try await store(cast).act(.agree(DealCast.euros(100)), on: id, seen: 1, by: cast.ann)
        await #expect(throws: DatabaseError.self) { try await cast.house.change(sql) }
    }

    @Test func `who is erased takes her requests along`() async throws {
        let cast = try await DealCast()
        let id = try await ask(cast)
        try await store(cast).act(.price(DealCast.euros(100)), on: id, seen: 0, by: cast.pia)
        _ = try await cast.library.accounts().delete(cast.ann)
        #expect(try await cast.count("SELECT COUNT(*) FROM requests") == 0)
        #expect(try await cast.count("SELECT COUNT(*) FROM requestMoves") == 0)
    }
}
