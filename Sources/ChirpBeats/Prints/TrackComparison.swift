package import ChirpBoards
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What was found when a recording was compared with all prints, after it was listened to and before anybody offered it.
struct TrackComparison: Sendable {
    /// The highest print that it was compared with.
    let last: Int64
    /// Those of the same recording.
    let same: [Int64]

    /// Nil: it was not compared yet, or is offered already.
    static func kept(of film: HubID, in database: Database) throws -> TrackComparison? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT last, same FROM trackComparisons WHERE film = ? AND last IS NOT NULL"),
            arguments: [film.text])
        return try row.map { row in
            TrackComparison(
                last: row[0], same: try JSONDecoder().decode([Int64].self, from: Data((row[1] as String).utf8)))
        }
    }

    /// Nobody asks for it once its track is made.
    static func forget(_ film: HubID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM trackComparisons WHERE film = ?").execute(
            arguments: [film.text])
    }
}

extension TrackStore {
    /// Compares recordings that were listened to and are not offered yet: of 100,000 tracks some thousand pages are read for each, and whoever
    /// offers it does not wait for them. One after another; may be repeated.
    package func compareWaiting(_ pace: Pace) async throws {
        while let film = try await waiting() { try await pace.piece { try await compare(film) } }
    }

    private func waiting() async throws -> HubID? {
        try await library.reading { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT film FROM trackComparisons WHERE last IS NULL LIMIT 1"))
        }.flatMap { HubID($0) }
    }

    private func compare(_ film: HubID) async throws {
        let found = try await findings(in: film)
        let same = String(decoding: try JSONEncoder().encode(found?.same ?? []), as: UTF8.self)
        try await library.transact { database in
            try database.cachedStatement(sql: "UPDATE trackComparisons SET last = ?, same = ? WHERE film = ?").execute(
                arguments: [found?.last ?? 0, same, film.text])
        }
    }
}
