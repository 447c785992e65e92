import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import HubHousehold
import Testing

@Suite struct ConnectionTests {
    private typealias State = ConnectionState
    private static let ann = AccountID(rawValue: "ann")
    private static let bob = AccountID(rawValue: "bob")

    /// What becomes of a tie for which Ann has asked, by an act of Ann and one of Bob: the phase, who has asked then, or a refusal.
    @Test func `each does in each phase what the table says`() {
        let table: [(State.Phase?, State.Act, ann: String, bob: String)] = [
            (nil, .ask, "asked by ann", "asked by bob"),
            (nil, .accept, "none", "none"), (nil, .decline, "none", "none"), (nil, .end, "none", "none"),
            (.asked, .ask, "asked by ann", "accepted by ann"),
            (.asked, .accept, "notYourTurn", "accepted by ann"),
            (.asked, .decline, "notYourTurn", "declined by ann"),
            (.asked, .end, "ended by ann", "notYourTurn"),
            (.accepted, .ask, "accepted by ann", "accepted by ann"),
            (.accepted, .accept, "phase(accepted)", "accepted by ann"),
            (.accepted, .decline, "phase(accepted)", "phase(accepted)"),
            (.accepted, .end, "ended by ann", "ended by ann"),
            (.declined, .ask, "declined", "asked by bob"),
            (.declined, .accept, "phase(declined)", "phase(declined)"),
            (.declined, .decline, "phase(declined)", "declined by ann"),
            (.declined, .end, "declined by ann", "declined by ann"),
            (.ended, .ask, "asked by ann", "asked by bob"),
            (.ended, .accept, "phase(ended)", "phase(ended)"), (.ended, .decline, "phase(ended)", "phase(ended)"),
            (.ended, .end, "ended by ann", "ended by ann"),
        ]
        #expect(table.count == (State.Phase.allCases.count + 1) * State.Act.allCases.count)
        for (phase, act, byAnn, byBob) in table {
            let state = phase.map { State($0, asker: Self.ann, asked: Self.bob, since: 0) }
            #expect(told(act, Self.ann, Self.bob, state) == byAnn, "\(act) of \(phase as Any) by Ann")
            #expect(told(act, Self.bob, Self.ann, state) == byBob, "\(act) of \(phase as Any) by Bob")
        }
    }

    private func told(_ act: State.Act, _ person: AccountID, _ other: AccountID, _ state: State?) -> String {
        do throws(ConnectionRefusal) {
            let next = try State.after(act, by: person, with: other, state, at: 1000)
            return "\(next.phase.rawValue) by \(next.asker)"
        } catch {
            switch error {
            case .none: return "none"
            case .notYourTurn: return "notYourTurn"
            case .phase(let phase): return "phase(\(phase.rawValue))"
            case .declined: return "declined"
            default: return "\(error)"
            }
        }
    }

    @Test func `who was declined asks again after thirty days`() throws {
        let state = State(.declined, asker: Self.ann, asked: Self.bob, since: 0)
        let month: Int64 = 30 * 86_400_000
        #expect(throws: ConnectionRefusal.declined(until: month)) {
            try State.after(.ask, by: Self.ann, with: Self.bob, state, at: month - 1)
        }
        #expect(try State.after(.ask, by: Self.ann, with: Self.bob, state, at: month).phase == .asked)
        #expect(throws: ConnectionRefusal.own) {
            try State.after(.ask, by: Self.ann, with: Self.ann, nil, at: 0)
        }
    }

    @Test func `two are tied when both want it, and told of it`() async throws {
        let cast = try await DealCast()
        let store = ConnectionStore(library: cast.library)
        for _ in 0..<2 { try await store.act(.ask, by: cast.ann, with: cast.bob) }
        #expect(try await cast.told(cast.bob).count == 1)
        #expect(try await store.connections(of: cast.bob).map(\.phase) == [.asked])
        try await store.act(.accept, by: cast.bob, with: cast.ann)
        #expect(try await cast.told(cast.ann).count == 1)
        for (one, other) in [(cast.ann, cast.bob), (cast.bob, cast.ann)] {
            let tie = try #require(try await store.connections(of: one).first)
            #expect(tie.person == other)
            #expect(tie.phase == .accepted)
            #expect(tie.isAsker == (one == cast.ann))
        }
        try await store.act(.end, by: cast.bob, with: cast.ann)
        #expect(try await store.connections(of: cast.ann).isEmpty)
        // Whoever asks now is the asker, with one row for the two.
        try await store.act(.ask, by: cast.bob, with: cast.ann)
        #expect(try await store.connection(of: cast.ann, with: cast.bob)?.asker == cast.bob)
        #expect(try await cast.count("SELECT COUNT(*) FROM connections") == 1)
    }

    @Test func `nobody asks across a block, and none is seen there`() async throws {
        let cast = try await DealCast()
        let store = ConnectionStore(library: cast.library)
        try await store.act(.ask, by: cast.ann, with: cast.bob)
        try await store.act(.accept, by: cast.bob, with: cast.ann)
        try await cast.library.block(cast.ann, by: cast.bob)
        #expect(try await store.connections(of: cast.ann).isEmpty)
        #expect(try await store.connections(of: cast.bob).isEmpty)
        #expect(try await store.connection(of: cast.ann, with: cast.bob) == nil)
        for (one, other) in [(cast.ann, cast.bob), (cast.bob, cast.ann)] {
            await #expect(throws: ConnectionRefusal.notFound) { try await store.act(.ask, by: one, with: other) }
        }
        try await store.act(.end, by: cast.ann, with: cast.bob)
        await #expect(throws: ConnectionRefusal.notFound) {
            try await store.act(.ask, by: cast.ann, with: AccountID(rawValue: "none"))
        }
        let new = try await cast.house.person("new", state: "unconfirmed")
        await #expect(throws: ConnectionRefusal.noAccount) { try await store.act(.ask, by: new, with: cast.eve) }
        await #expect(throws: ConnectionRefusal.notFound) { try await store.act(.ask, by: cast.eve, with: new) }
    }

    @Test func `both asking at once are tied, and have one row`() async throws {
        let cast = try await DealCast()
        let store = ConnectionStore(library: cast.library)
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    _ = try? await store.act(
                        .ask, by: number % 2 == 0 ? cast.ann : cast.bob, with: number % 2 == 0 ? cast.bob : cast.ann)
                }
            }
        }
        #expect(try await store.connection(of: cast.ann, with: cast.bob)?.phase == .accepted)
        #expect(try await cast.count("SELECT COUNT(*) FROM connections") == 1)
    }

    @Test func `nobody asks more than thirty people a day, however often she takes it back`() async throws {
        let cast = try await DealCast()
        let store = ConnectionStore(library: cast.library)
        for _ in 0..<30 {
            try await store.act(.ask, by: cast.ann, with: cast.bob)
            try await store.act(.end, by: cast.ann, with: cast.bob)
        }
        cast.house.wait(3600)
        await #expect(throws: ConnectionRefusal.tooOften(most: 30, seconds: 23 * 3600)) {
            try await store.act(.ask, by: cast.ann, with: cast.eve)
        }
        cast.house.wait(23 * 3600)
        try await store.act(.ask, by: cast.ann, with: cast.eve)
    }
}
