import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import GRDB

/// Writes challenges and attempts. A few challenges are tried a lot, most of them seldom.
struct RecordFiller: Sendable {
    let library: HubLibrary
    let clock: MovedClock
    let towns: Towns
    let vocabulary: Vocabulary
    let options: Options

    private static let batch = 50_000
    private static let day = 86_400.0
    /// Over so many days they were set.
    private static let age = 60.0

    @Sendable func addRules() async throws -> Int {
        guard options.rules > 0 else { return 0 }
        let store = ChallengeStore(library: library)
        let now = clock.now
        clock.wait(-Self.age * Self.day)
        for start in stride(from: 0, to: options.rules, by: Self.batch / 5) {
            let numbers = start..<min(options.rules, start + Self.batch / 5)
            var generator = SplitMix(seed: options.seed &* 2_000_003 &+ UInt64(start))
            let drafts = numbers.map { ($0, challenge(at: now, using: &generator)) }
            try await library.transact { database in
                for (number, (draft, terms)) in drafts {
                    clock.wait(Self.age * Self.day / Double(options.rules))
                    try store.create(
                        draft, terms, by: AccountID(rawValue: "load\(number % options.accounts)"),
                        key: "load:rule:\(number)", in: database)
                }
            }
            FileHandle.standardError.write(Data("\(numbers.upperBound) rules\n".utf8))
        }
        return options.rules
    }

    private func challenge(
        at now: Date, using generator: inout SplitMix
    ) -> (ChallengeDraft, RuleTerms) {
        let (_, title, text) = vocabulary.listing(using: &generator)
        let town = towns.any(using: &generator)
        var draft = ChallengeDraft(
            category: Challenge.Category.allCases.randomElement(using: &generator) ?? .other, title: title)
        draft.text = text
        var terms = (RuleTemplate.allCases.randomElement(using: &generator) ?? .mostPoints).terms
        terms.needs = []
        let kind = Double.random(in: 0..<1, using: &generator)
        // Four of ten at a place, three around one, three anywhere.
        if kind < 0.7 {
            draft.point = GeoPoint(
                latitude: max(-90, min(90, town.point.latitude + .random(in: -0.04...0.04, using: &generator))),
                longitude: town.point.longitude + .random(in: -0.04...0.04, using: &generator))
            (draft.precision, draft.town) = (kind < 0.4 ? .exact : .near, town.point)
            draft.placeName = "\(town.name), \(town.country)"
            if kind < 0.4 { terms.place = .here }
        }
        // One of ten is an event that has begun or is to begin.
        if Double.random(in: 0..<1, using: &generator) < 0.1 {
            let begins = now.addingTimeInterval(.random(in: -20...20, using: &generator) * Self.day)
            terms.event = RuleTerms.Event(
                begins: Self.whole(begins),
                ends: Self.whole(now.addingTimeInterval(.random(in: 21...60, using: &generator) * Self.day)), grace: 600
            )
        }
        return (draft, terms)
    }

    private static func whole(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
    }

    @Sendable func addAttempts() async throws -> Int {
        guard options.attempts > 0 else { return 0 }
        let rules = try await library.reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT rules.sequence, low, high, rules.place, shownLat, shownLon FROM rules
                    JOIN items ON items.id = rules.challenge
                    LEFT JOIN itemPlaces ON itemPlaces.item = items.sequence ORDER BY rules.sequence
                    """
            ).map {
                LoadedRule(
                    id: $0["sequence"], low: $0["low"], high: $0["high"], isHere: ($0["place"] as String) == "here",
                    latitude: $0["shownLat"], longitude: $0["shownLon"])
            }
        }
        guard !rules.isEmpty else { return 0 }
        let end = Int64(clock.now.timeIntervalSince1970 * 1000)
        for start in stride(from: 0, to: options.attempts, by: Self.batch) {
            let numbers = start..<min(options.attempts, start + Self.batch)
            var generator = SplitMix(seed: options.seed &* 3_000_017 &+ UInt64(start))
            let rows = numbers.map { number in
                attempt(number, at: rules[generator.favourite(of: rules.count)], end, using: &generator)
            }
            try await library.transact { database in
                let statement = try database.cachedStatement(
                    sql: """
                        INSERT INTO attempts (id, rule, account, key, score, text, done, begun, received, media, shownLat,
                            shownLon, placeName, place, town, country, townName, countryName, state, decided)
                        VALUES (?1, ?2, ?3, ?4, ?5, '', ?6, ?6, ?6, '', ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
                        ON CONFLICT DO NOTHING
                        """)
                for row in rows { try statement.execute(arguments: row) }
            }
            FileHandle.standardError.write(Data("\(numbers.upperBound) attempts\n".utf8))
        }
        return options.attempts
    }

    private struct LoadedRule: Sendable {
        let id, low, high: Int64
        let isHere: Bool
        let latitude, longitude: Double?
    }

    /// Received one after the other over sixty days; the last fiftieth of them waits.
    private func attempt(
        _ number: Int, at rule: LoadedRule, _ end: Int64, using generator: inout SplitMix
    ) -> StatementArguments {
        let span = Self.age * Self.day * 1000
        let received = end - Int64(span * (1 - Double(number) / Double(options.attempts)))
        let isWaiting = number > options.attempts - options.attempts / 50
        let isRejected = Double.random(in: 0..<1, using: &generator) < 0.02
        let state = isWaiting ? "waiting" : isRejected ? "rejected" : "verified"
        let town = towns.any(using: &generator)
        let shown = rule.isHere ? Self.point(rule.latitude, rule.longitude) ?? town.point : town.point
        let account = Int.random(in: 0..<options.accounts, using: &generator)
        return [
            HubID().text, rule.id, "load\(account)", "load:\(number)",
            Int64.random(in: rule.low...rule.high, using: &generator), received, shown.latitude, shown.longitude,
            "\(town.name), \(town.country)", rule.isHere ? RecordArea.here.key : RecordArea.around(shown).key, town.id,
            town.country, town.name, town.country, state, isWaiting ? nil : min(end, received + 86_400_000),
        ]
    }

    private static func point(_ latitude: Double?, _ longitude: Double?) -> GeoPoint? {
        guard let latitude, let longitude else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// Who holds what.
    @Sendable func addHolds() async throws -> Int {
        guard options.attempts > 0 else { return 0 }
        let rules = try await library.reading { try Int64.fetchAll($0, sql: "SELECT DISTINCT rule FROM attempts") }
        for start in stride(from: 0, to: rules.count, by: Self.batch / 5) {
            let some = rules[start..<min(rules.count, start + Self.batch / 5)]
            try await library.transact { try HoldStore.recount(some, in: $0) }
        }
        return try await library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM holds") ?? 0 }
    }
}
