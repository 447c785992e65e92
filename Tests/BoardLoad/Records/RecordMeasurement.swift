import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import GRDB

/// How long the library takes for the lists of challenges, and for what a challenge's page shows: without pages, by a visitor and by a member
/// in turns. Readers of lists go on to the next page two times of three.
struct RecordMeasurement {
    let library: HubLibrary
    let towns: Towns
    let options: Options

    /// Milliseconds.
    struct Figures: Encodable {
        let p50, p95, p99, highest: Double
        /// Entries of a page.
        let entries: Double

        init(_ times: [Double], entries: Int) {
            let sorted = times.sorted()
            func share(_ part: Double) -> Double {
                sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
            }
            (p50, p95, p99, highest) = (share(0.5), share(0.95), share(0.99), sorted.last ?? 0)
            self.entries = sorted.isEmpty ? 0 : Double(entries) / Double(sorted.count)
        }
    }

    private static let perPage = 30

    private var challenges: ChallengeStore { ChallengeStore(library: library) }

    func measure() async throws -> [String: Figures] {
        var found: [String: Figures] = [:]
        for (name, feed) in [
            ("new", .new), ("global", .global), ("events", .running), ("events to come", .coming),
        ] as [(String, ChallengeFeed)] {
            found[name] = try await list { generator, viewer, after in
                // Of each second one a category.
                let category = Bool.random(using: &generator) ? Challenge.Category.speed : nil
                let page = try await challenges.feed(
                    feed, category: category, after: after, limit: Self.perPage, for: viewer)
                return (page.found.map(\.id), page.next)
            }
        }
        found["local, 10 km"] = try await list { generator, viewer, _ in
            let town = towns.any(using: &generator)
            let feed = ChallengeFeed.local(ChallengeFeed.Locality(town.point))
            let page = try await challenges.feed(feed, limit: Self.perPage, for: viewer)
            return (page.found.map(\.id), nil)
        }
        found["popular"] = try await list { _, viewer, after in
            var query = ItemQuery(board: Records.board)
            (query.kinds, query.order, query.after, query.limit) = ([Records.kind], .popular, after, Self.perPage)
            let page = try await challenges.challenges(query, for: viewer)
            return (page.found.map(\.id), page.next)
        }
        found["popular, 10 km"] = try await list { generator, viewer, _ in
            var query = ItemQuery(board: Records.board)
            (query.kinds, query.order, query.limit) = ([Records.kind], .popular, Self.perPage)
            query.area = .circle(towns.any(using: &generator).point, radius: 10_000)
            let page = try await challenges.challenges(query, for: viewer)
            return (page.found.map(\.id), page.next)
        }
        found["words"] = try await list { _, viewer, _ in
            var query = ItemQuery(board: Records.board)
            (query.kinds, query.words, query.limit) = ([Records.kind], "black station", Self.perPage)
            return (try await challenges.challenges(query, for: viewer).found.map(\.id), nil)
        }
        found["challenge with history"] = try await page()
        found["profile"] = try await profile()
        found["queue of a moderator"] = try await queue()
        return found
    }

    private func list(
        _ ask: (inout SplitMix, Viewer, String?) async throws -> ([HubID], String?)
    ) async throws -> Figures {
        var generator = SplitMix(seed: options.seed &+ 5)
        var (times, entries, after) = ([Double](), 0, String?.none)
        for number in -20..<options.measure {
            let viewer = self.viewer(number)
            let begin = ContinuousClock.now
            let (found, next) = try await ask(&generator, viewer, after)
            // Each entry says how it stands with voters.
            _ = try await library.seen(by: viewer).votes(on: found)
            let time = (ContinuousClock.now - begin) / .milliseconds(1)
            after = Int.random(in: 0..<3, using: &generator) > 0 ? next : nil
            guard number >= 0 else { continue }
            times.append(time)
            entries += found.count
        }
        return Figures(times, entries: entries)
    }

    private func viewer(_ number: Int) -> Viewer {
        number.isMultiple(of: 2) ? .visitor : .member(AccountID(rawValue: "load\(abs(number) % options.accounts)"))
    }

    /// Half of the challenges are among those that are tried most.
    private func page() async throws -> Figures {
        let rows = try await library.reading { database in
            try String.fetchAll(database, sql: "SELECT challenge FROM rules ORDER BY sequence")
        }
        guard !rows.isEmpty else { return Figures([], entries: 0) }
        let (holds, attempts) = (HoldStore(library: library), AttemptStore(library: library))
        let stakes = StakeStore(library: library, limits: StakeLimits(isOn: true))
        var generator = SplitMix(seed: options.seed &+ 6)
        var (times, entries) = ([Double](), 0)
        for number in -20..<options.measure {
            let count = number.isMultiple(of: 2) ? rows.count : max(1, rows.count / 1000)
            guard let id = HubID(rows[Int.random(in: 0..<count, using: &generator)]) else { continue }
            let viewer = self.viewer(number / 2)
            let begin = ContinuousClock.now
            guard case .challenge(let challenge)? = try await challenges.challenge(id, for: viewer) else { continue }
            let history = try await holds.history(of: challenge.rule.id, in: .world, for: viewer)
            _ = try await holds.holders(of: challenge.rule.id, for: viewer)
            _ = try await attempts.attempts(.challenge(id), for: viewer, limit: 20)
            _ = try await library.seen(by: viewer).votes(on: [id])
            _ = try await stakes.stakes(at: id, for: viewer)
            let time = (ContinuousClock.now - begin) / .milliseconds(1)
            guard number >= 0 else { continue }
            times.append(time)
            entries += history.count
        }
        return Figures(times, entries: entries)
    }

    private func profile() async throws -> Figures {
        let (holds, attempts) = (HoldStore(library: library), AttemptStore(library: library))
        return try await list { generator, viewer, _ in
            let person = AccountID(rawValue: "load\(Int.random(in: 0..<options.accounts, using: &generator))")
            _ = try await holds.records(of: person, isNow: true, for: viewer)
            _ = try await holds.records(of: person, isNow: false, for: viewer)
            return (try await attempts.attempts(.person(person), for: viewer, limit: 20).map(\.challenge), nil)
        }
    }

    private func queue() async throws -> Figures {
        try await library.transact { database in
            try database.execute(sql: "UPDATE accounts SET role = 'moderator' WHERE id = 'load0'")
        }
        let attempts = AttemptStore(library: library)
        return try await list { _, _, _ in
            (try await attempts.waiting(for: AccountID(rawValue: "load0"), limit: 30).map(\.challenge), nil)
        }
    }
}
