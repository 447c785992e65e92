package import ChirpAccounts
internal import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
package import ChirpMusic
internal import FoundationEssentials
internal import GRDB

extension TrackStore {
    /// A check that has killed whoever did it so often is given up.
    private static let mostTries = 3

    /// Says what a track is mixed of, instead of what was said before; they are compared with the mix afterwards. May be repeated.
    ///
    /// - Parameter stems: uploads of tracks, of the same author, with a name each; none: it has no stems.
    package func setStems(
        _ stems: [(film: HubID, name: String)], of id: HubID, by account: AccountID
    ) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            guard track.master != nil, stems.count <= StemCheck.mostStems else {
                throw TrackRefusal.fields([.track: .tooMany(most: StemCheck.mostStems)])
            }
            // Whoever is paying for them gets what she was told of.
            if let why = try hold(track.work, database) { throw TrackRefusal.held(why) }
            try database.cachedStatement(sql: "DELETE FROM trackStems WHERE item = ?").execute(arguments: [id.text])
            for (place, stem) in stems.enumerated() {
                guard let film = try Films.film(stem.film, in: database), film.owner == account, film.track != nil
                else { throw TrackRefusal.fields([.track: .notYours]) }
                let isUsed = try Bool.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT 1 WHERE EXISTS (SELECT 1 FROM tracks WHERE master = ?1)
                                OR EXISTS (SELECT 1 FROM trackStems WHERE film = ?1)
                            """), arguments: [stem.film.text])
                guard isUsed == nil else { throw TrackRefusal.fields([.track: .used]) }
                try database.cachedStatement(
                    sql: "INSERT INTO trackStems (film, item, position, name) VALUES (?, ?, ?, ?)"
                ).execute(arguments: [
                    stem.film.text, id.text, place, PlainText(stem.name, limit: TrackStems.longestName).value,
                ])
            }
            // What is found for stems of before is of no use.
            try database.cachedStatement(
                sql: """
                    INSERT INTO trackStemChecks (item, state, revision, tries) VALUES (?1, ?2, 1, 0)
                    ON CONFLICT (item) DO UPDATE SET state = ?2, revision = revision + 1, tries = 0, findings = NULL,
                        why = ''
                    """
            ).execute(arguments: [id.text, stems.isEmpty ? "none" : "waiting"])
        }
    }

    /// What a track is mixed of; nil when nobody has said so.
    package func stems(of id: HubID) async throws -> TrackStems? {
        try await library.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM trackStemChecks WHERE item = ? AND state <> 'none'"),
                arguments: [id.text])
            guard let row else { return nil }
            let stems = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT film, name FROM trackStems WHERE item = ? ORDER BY position"),
                arguments: [id.text]
            ).compactMap { row in
                HubID(row["film"] as String).map { TrackStems.Stem(film: $0, name: row["name"]) }
            }
            let found = TrackStems.findings(row["findings"])
            let check: TrackStems.Check =
                switch row["state"] as String {
                case "found": found.map { .found($0) } ?? .failed("")
                case "failed": .failed(row["why"])
                default: .waiting
                }
            return TrackStems(stems: stems, check: check)
        }
    }

    /// One check that is to be made, written down as begun.
    private struct Due: Sendable {
        let item: String
        let revision, tries: Int
        /// Of the mix, and of each stem.
        let mix: HubID
        let stems: [HubID]
        let refused: String?
    }

    /// Makes one check whose recordings are all there. It is written down before and after, so whoever dies leaves it to the next one.
    ///
    /// - Parameter check: as ``TrackMaking/checkStems``; it throws ``TrackMaking/Failure``.
    /// - Returns: whether there was one.
    package func checkNextStems(
        by check: @Sendable (_ stems: [String], _ mix: String) async throws -> StemFindings
    ) async throws -> Bool {
        guard let due = try await library.transact({ try due(in: $0) }) else { return false }
        if let refused = due.refused {
            try await settle(due, state: "failed", findings: nil, why: refused)
            return true
        }
        guard due.tries <= Self.mostTries else {
            try await settle(due, state: "failed", findings: nil, why: "whoever compared them died over it")
            return true
        }
        let paths = due.stems.map { library.films.file($0, .original) }
        do {
            let findings = try await check(paths, library.films.file(due.mix, .original))
            let text = String(decoding: try JSONEncoder().encode(findings), as: UTF8.self)
            try await settle(due, state: "found", findings: text, why: "")
        } catch TrackMaking.Failure.refused(let why) {
            try await settle(due, state: "failed", findings: nil, why: why)
        } catch is TrackMaking.Failure {
            // The next errand tries again; the tries are counted.
            return false
        }
        return true
    }

    private func due(in database: Database) throws -> Due? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT checks.item, checks.revision, checks.tries, tracks.master, (
                        SELECT 'stem ' || (position + 1) || ': ' || COALESCE(films.why, '') FROM trackStems
                        JOIN films ON films.id = trackStems.film
                        WHERE trackStems.item = checks.item AND films.state = 'refused' ORDER BY position LIMIT 1
                    ) AS refused
                    FROM trackStemChecks AS checks JOIN tracks ON tracks.item = checks.item
                    WHERE checks.state = 'waiting' AND tracks.state = 'ready' AND tracks.master IS NOT NULL
                        AND NOT EXISTS (
                            SELECT 1 FROM trackStems JOIN films ON films.id = trackStems.film
                            WHERE trackStems.item = checks.item AND films.state IN ('receiving', 'checking'))
                    ORDER BY checks.tries, checks.item LIMIT 1
                    """))
        guard let row, let mix = HubID(row["master"] as String) else { return nil }
        let (item, tries) = (row["item"] as String, (row["tries"] as Int) + 1)
        try database.cachedStatement(sql: "UPDATE trackStemChecks SET tries = ? WHERE item = ?").execute(
            arguments: [tries, item])
        let stems = try String.fetchAll(
            database.cachedStatement(sql: "SELECT film FROM trackStems WHERE item = ? ORDER BY position"),
            arguments: [item]
        ).compactMap { HubID($0) }
        return Due(
            item: item, revision: row["revision"], tries: tries, mix: mix, stems: stems, refused: row["refused"])
    }

    private func settle(_ due: Due, state: String, findings: String?, why: String) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE trackStemChecks SET state = ?, findings = ?, why = ? WHERE item = ? AND revision = ?
                    """
            ).execute(arguments: [state, findings, PlainText(why, limit: 300).value, due.item, due.revision])
        }
    }
}
