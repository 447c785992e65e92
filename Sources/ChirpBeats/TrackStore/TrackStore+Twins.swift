internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpMusic
package import FoundationEssentials
internal import GRDB

/// Another track with the same recording.
package struct TrackTwin: Hashable, Sendable {
    /// Nil when the viewer does not see it.
    package let other: Track?
    /// When the other's recording was here, and this one's.
    package let sent, ownSent: Date
    /// Whether the other one was here first.
    package let isEarlier: Bool
}

extension TrackStore {
    /// Keeps the print of a track, and writes down which others are of the same recording; within the transaction that makes it ready. May be
    /// repeated.
    ///
    /// - Parameter findings: what has come since they were compared is compared here.
    /// - Returns: whether somebody else has sent the recording before.
    func noteTwins(of track: Track, _ findings: TrackFindings, sent: Date, in database: Database) throws -> Bool {
        let id = track.id.text
        for table in ["trackPrints WHERE item", "trackTwins WHERE item", "trackTwins WHERE earlier"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) = ?").execute(arguments: [id])
        }
        guard let print = findings.print else { return false }
        var findings = findings
        findings.compare(with: try findings.candidates(in: database))
        var isElsewhere = false
        for other in findings.same {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT tracks.item, works.author, COALESCE(films.received, films.created) AS sent
                        FROM trackPrints JOIN tracks ON tracks.item = trackPrints.item
                        JOIN works ON works.id = tracks.work JOIN films ON films.id = tracks.master
                        WHERE trackPrints.number = ?
                        """), arguments: [other])
            // It may have gone since.
            guard let row else { continue }
            let (instant, then) = (Accounts.milliseconds(sent), row["sent"] as Int64)
            let isEarlier = then <= instant
            if isEarlier, row["author"] as AccountID != track.item.author.id { isElsewhere = true }
            let name = row["item"] as String
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO trackTwins (item, earlier, sent, earlierSent) VALUES (?, ?, ?, ?)"
            ).execute(arguments: isEarlier ? [id, name, instant, then] : [name, id, then, instant])
        }
        try database.cachedStatement(sql: "INSERT INTO trackPrints (item) VALUES (?)").execute(arguments: [id])
        try GatheredKeys.keep(print, as: database.lastInsertedRowID, in: database)
        return isElsewhere
    }

    /// The others with the same recording, the earliest first: for its author and moderators.
    package func twins(of track: Track, for viewer: Viewer) async throws -> [TrackTwin] {
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT earlier AS other, earlierSent AS instant, sent AS own, 1 AS isEarlier FROM trackTwins
                        WHERE item = ?1
                        UNION ALL SELECT item, sent, earlierSent, 0 FROM trackTwins WHERE earlier = ?1
                        ORDER BY instant LIMIT 50
                        """), arguments: [track.id.text]
            ).compactMap { row in
                HubID(row["other"] as String).map {
                    (
                        id: $0, then: row["instant"] as Int64, own: row["own"] as Int64,
                        isEarlier: row["isEarlier"] as Bool
                    )
                }
            }
        }
        guard !rows.isEmpty else { return [] }
        let seen = try await tracks(rows.map(\.id), for: viewer)
        let byID = Dictionary(seen.map { ($0.id, $0) }) { first, _ in first }
        return rows.map { row in
            TrackTwin(
                other: byID[row.id], sent: Accounts.date(row.then), ownSent: Accounts.date(row.own),
                isEarlier: row.isEarlier)
        }
    }
}
