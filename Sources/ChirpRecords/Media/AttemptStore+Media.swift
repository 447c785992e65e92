package import ChirpAccounts
package import ChirpCommunity
package import ChirpMusic
internal import FoundationEssentials
internal import GRDB

extension AttemptStore {
    /// Says what shows an attempt whose media are awaited. If all of them are here the attempt has been received by this, however long it takes until
    /// somebody looks; otherwise it is when the last of them is. What becomes of them is looked at by ``AttemptMediaWork``. May be
    /// repeated, also with others instead, as long as they are awaited.
    ///
    /// - Parameters:
    ///   - code: that its author was given for it; nil: none.
    ///   - counting: what is to be counted in its sound; nil: what is timed, or claps where the rule counts.
    /// - Throws: ``AttemptRefusal/fields(_:)`` for `media` when a kind is missing that she has announced, or something is another's, was refused,
    ///   or shows something else; ``AttemptRefusal/state(_:)`` when it is awaited no more; ``AttemptRefusal/over(_:)`` when they are here, but too late
    ///   for its event.
    package func attach(
        _ recording: AttemptRecording, code: AttemptCode? = nil, counting: EventCount.Kind? = nil, to id: HubID,
        by account: AccountID
    ) async throws(AttemptRefusal) {
        try await change { database in
            let row = try AttemptStanding(id, in: database)
            guard row.account == account else { throw AttemptRefusal.notFound }
            let wanted = RuleTerms.Evidence.set(
                try String.fetchOne(
                    database.cachedStatement(sql: "SELECT media FROM attempts WHERE sequence = ?"),
                    arguments: [row.sequence]) ?? "")
            if try AttemptRecording(of: row.sequence, in: database) == recording { return }
            guard row.state == .receiving else { throw AttemptRefusal.state(row.state) }
            let kinds = recording.kinds(for: wanted)
            guard wanted.isSubset(of: kinds) else {
                throw AttemptRefusal.fields([.media: .needs(wanted.subtracting(kinds))])
            }
            try Self.write(recording, of: row, among: wanted, in: database)
            let counted = counting ?? (row.terms.measure == .count ? .claps : nil)
            try database.cachedStatement(
                sql: """
                    INSERT INTO attemptHearings (attempt, code, counted) VALUES (?, ?, ?)
                    ON CONFLICT (attempt) DO UPDATE SET code = excluded.code, counted = excluded.counted, deaths = 0
                    """
            ).execute(arguments: [row.sequence, code?.description, counted?.rawValue])
            let awaited = try AttemptRecording(of: row.sequence, in: database).film
            let film = try awaited.flatMap { try Films.film($0, in: database) }
            if film?.state != .receiving { try row.arrive(at: library.now(), in: database) }
        }
    }

    /// Nothing is shown to others before the attempt is.
    private static func write(
        _ recording: AttemptRecording, of row: AttemptStanding, among wanted: Set<RuleTerms.Evidence>,
        in database: Database
    ) throws {
        // What showed it before shows it no more.
        for (table, column) in [("itemFilms", "film"), ("itemMedia", "clip"), ("itemMedia", "picture")] {
            try database.cachedStatement(
                sql: """
                    DELETE FROM \(table) WHERE \(column) IN (SELECT \(column) FROM attemptMedia WHERE attempt = ?)
                    """
            ).execute(arguments: [row.sequence])
        }
        try database.cachedStatement(sql: "DELETE FROM attemptMedia WHERE attempt = ?").execute(
            arguments: [row.sequence])
        func keep(_ kind: RuleTerms.Evidence, _ id: HubID, isHers: Bool) throws {
            // Something of hers that shows another attempt shows no second one.
            let isUsed = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM attemptMedia WHERE ? IN (picture, clip, film)"),
                arguments: [id.text])
            guard isHers, isUsed != true else { throw AttemptRefusal.fields([.media: .missing]) }
            try database.cachedStatement(
                sql: """
                    INSERT INTO attemptMedia (attempt, kind, picture, clip, film)
                    VALUES (?1, ?2, iif(?2 = 'picture', ?3, NULL), iif(?2 = 'sound', ?3, NULL), iif(?2 = 'video', ?3, NULL))
                    """
            ).execute(arguments: [row.sequence, kind.rawValue, id.text])
        }
        let (owner, item) = (row.account, row.challenge)
        if let id = recording.picture, wanted.contains(.picture) {
            let isHers = try ItemMedia.show(picture: id, of: owner, with: item, isShown: false, in: database)
            try keep(.picture, id, isHers: isHers)
        }
        if let id = recording.clip, wanted.contains(.sound) {
            let isHers = try ItemMedia.show(clip: id, of: owner, with: item, isShown: false, in: database)
            try keep(.sound, id, isHers: isHers)
        }
        if let id = recording.film, !wanted.isDisjoint(with: [.video, .sound]) {
            let isHers = try Films.show(id, of: owner, with: item, isShown: false, in: database)
            try keep(.video, id, isHers: isHers)
        }
    }

    /// What shows an attempt; nil when the viewer does not see it.
    package func media(of id: HubID, for viewer: Viewer) async throws -> AttemptMedia? {
        guard let attempt = try await attempt(id, for: viewer) else { return nil }
        let account = library.seen(by: viewer).account
        let now = Accounts.milliseconds(library.now())
        return try await library.reading { database in
            let recording = try AttemptRecording(of: attempt.sequence, in: database)
            var isJudge = attempt.isOwn
            if let account, !isJudge, let film = recording.film {
                let standing = try AccountStanding(of: account, at: now, in: database)
                isJudge =
                    try standing?.isModerator == true
                    || standing?.isActive == true && Self.judges(account, film: film, in: database)
            }
            return AttemptMedia(
                recording: recording, film: try recording.film.flatMap { try Films.film($0, in: database) },
                seconds: try recording.clip.flatMap { clip in
                    try Double.fetchOne(
                        database.cachedStatement(sql: "SELECT seconds FROM clips WHERE id = ?"), arguments: [clip.text])
                }, isJudge: isJudge)
        }
    }

    /// Whether somebody verifies the attempt that a film shows, and is neither its author nor its setter; of what others do not see, the attempt or
    /// its challenge, nobody is asked.
    static func judges(_ account: AccountID, film: HubID, in database: Database) throws -> Bool {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT rules.challenge, attempts.rule FROM attemptMedia
                    JOIN attempts ON attempts.sequence = attemptMedia.attempt JOIN rules ON rules.sequence = attempts.rule
                    JOIN items ON items.id = rules.challenge
                    WHERE attemptMedia.film = :film AND attempts.state IN ('waiting', 'verified') AND NOT items.hidden
                        AND NOT items.shut AND items.state NOT IN ('draft', 'withdrawn')
                        AND NOT \(HubReader.hidesPart("attempts.id"))
                        AND (SELECT state FROM accounts WHERE accounts.id = attempts.account) <> 'closed'
                        AND attempts.account <> :me AND rules.setter IS NOT :me
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = attempts.account AND blocked = :me)
                    """), arguments: ["film": film.text, "me": account])
        guard let row, let challenge = HubID(row["challenge"] as String) else { return false }
        return try Verifiers.isOne(account, of: challenge, rule: row["rule"], in: database)
    }
}
