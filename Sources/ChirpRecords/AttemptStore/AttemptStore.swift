package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpPlaces
internal import FoundationEssentials
package import GRDB

/// Attempts in the library.
package struct AttemptStore: Sendable {
    package let library: HubLibrary
    /// Knows towns and countries; nil: records are of places and the world alone.
    private let gazetteer: Gazetteer?
    /// Who has something to gain or lose by what becomes of an attempt at a challenge, beside those who hold its records.
    let stakes: @Sendable (_ attempt: Int64, _ challenge: HubID, Database) throws -> Set<AccountID>

    package init(
        library: HubLibrary, gazetteer: Gazetteer? = nil,
        stakes: @escaping @Sendable (_ attempt: Int64, _ challenge: HubID, Database) throws -> Set<AccountID> = {
            try StakeStore.interested(in: $0, at: $1, in: $2)
        }
    ) {
        self.library = library
        self.gazetteer = gazetteer
        self.stakes = stakes
    }

    /// In ms.
    private static let day: Int64 = 86_400_000

    /// Hands one in, once for its author and key; then that one is given again. With media it is there for ``arrive(_:by:)``; without
    /// it waits for who verifies, and has been received.
    package func begin(
        _ draft: AttemptDraft, at challenge: HubID, by account: AccountID, key: String
    ) async throws(AttemptRefusal) -> HubID {
        do {
            if let known = try await known(key, account) { return known }
            let place = try await place(of: draft, at: challenge, by: account)
            return try await library.transact { try write(draft, place, at: challenge, by: account, key: key, in: $0) }
        } catch {
            throw AttemptRefusal(error)
        }
    }

    private func known(_ key: String, _ account: AccountID) async throws -> HubID? {
        try await library.reading { try Self.known(key, account, in: $0) }
    }

    private static func known(_ key: String, _ account: AccountID, in database: Database) throws -> HubID? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM attempts WHERE account = ? AND key = ?"),
            arguments: [account, key]
        ).flatMap { HubID($0) }
    }

    /// The gazetteer is asked before the transaction, which others wait for.
    private func place(
        of draft: AttemptDraft, at id: HubID, by account: AccountID
    ) async throws -> RecordPlace? {
        let (library, store) = (library, ChallengeStore(library: library))
        let shown = try await library.reading { database -> (GeoPoint, String, RecordArea?)? in
            let challenge = try store.challenge(id, for: account, in: database)
            if challenge.rule.terms.place == .here {
                return challenge.item.place.map { ($0.shown, $0.name, .here) }
            }
            guard let spot = draft.spot else { return nil }
            let shown = try Items.shown(
                spot.point, spot.precision, author: account, town: spot.town, in: database)
            // In the middle of a town nobody has been who tells the town alone.
            let area: RecordArea? = spot.precision == .town ? nil : .around(shown)
            return (shown, PlainText(spot.name, limit: Attempt.longestPlace).value, area)
        }
        guard let (point, name, area) = shown else { return nil }
        return try await RecordPlace.found(point, name: name, place: area, in: gazetteer)
    }

    private func write(
        _ draft: AttemptDraft, _ place: RecordPlace?, at id: HubID, by account: AccountID, key: String,
        in database: Database
    ) throws -> HubID {
        // Another request with the same key may have come in between.
        if let known = try Self.known(key, account, in: database) { return known }
        let now = library.now()
        let instant = Accounts.milliseconds(now)
        guard try AccountStanding(of: account, at: instant, in: database)?.isActive == true else {
            throw AttemptRefusal.noAccount
        }
        let challenge = try ChallengeStore(library: library).challenge(id, for: account, in: database)
        let (item, rule) = (challenge.item, challenge.rule)
        guard item.state == .open else { throw AttemptRefusal.ended(item.state) }
        guard rule.version == draft.version else { throw AttemptRefusal.changed(version: rule.version) }
        try rule.terms.event?.check(now)
        var faults = draft.faults(by: rule.terms, here: item.place?.shown, at: now)
        if key.isEmpty { faults[.key] = .missing }
        if key.utf8.count > Attempt.longestKey { faults[.key] = .tooLong(most: Attempt.longestKey) }
        guard faults.isEmpty else { throw AttemptRefusal.fields(faults) }
        // The gazetteer was asked before: meanwhile the setter may have moved it.
        guard rule.terms.place == .anywhere || place?.shown == item.place?.shown else {
            throw AttemptRefusal.changed(version: rule.version)
        }
        let isOpen = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM attempts WHERE rule = ? AND account = ?
                        AND state IN ('receiving', 'checking', 'waiting')
                    """), arguments: [rule.id, account])
        guard isOpen != true else { throw AttemptRefusal.already }
        try Self.checkPace(of: account, at: instant, in: database)
        let attempt = HubID()
        let hasMedia = !draft.media.isEmpty
        try database.cachedStatement(
            sql: """
                INSERT INTO attempts (id, rule, account, key, score, text, done, begun, received, media, shownLat, shownLon,
                    placeName, place, town, country, townName, countryName, state)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                attempt.text, rule.id, account, key, try rule.terms.score(typed: draft.score),
                PlainText.lines(draft.text, limit: Attempt.longestText), Accounts.milliseconds(draft.done(at: now)),
                instant, hasMedia ? nil : instant, RuleTerms.Evidence.text(draft.media), place?.shown.latitude,
                place?.shown.longitude, place?.name ?? "", place?.place, place?.town, place?.country,
                place?.townName ?? "", place?.countryName ?? "",
                (hasMedia ? Attempt.State.receiving : .waiting).rawValue,
            ])
        return attempt
    }

    private static func checkPace(of account: AccountID, at now: Int64, in database: Database) throws {
        let oldest = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT begun FROM attempts WHERE account = ? AND begun > ?
                    ORDER BY sequence DESC LIMIT 1 OFFSET \(Attempt.mostPerDay - 1)
                    """), arguments: [account, now - day])
        if let oldest {
            throw AttemptRefusal.tooOften(seconds: max(1, Int(min(oldest + day - now + 999, 2 * day) / 1000)))
        }
    }

    func change<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(AttemptRefusal) -> T {
        do { return try await library.transact(body) } catch { throw AttemptRefusal(error) }
    }
}
