package import ChirpCommunity
internal import GRDB

extension AttemptStore {
    /// Films that show records, by the challenge: each can be played in a list, silently, for four seconds (OU-10). One query for a page of them.
    ///
    /// - Parameter spans: as a viewer has them, at most one of a challenge; whom she does not see shows nothing.
    package func films(of spans: some Collection<RecordSpan>) async throws -> [HubID: HubID] {
        let seen = spans.filter { $0.person != nil }
        guard !seen.isEmpty else { return [:] }
        let attempts = try seen.map(\.hold.attempt).statementList()
        let films = try await library.reading { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT attemptMedia.attempt, attemptMedia.film FROM attemptMedia
                        JOIN films ON films.id = attemptMedia.film AND films.state = 'ready' AND films.width > 0
                        JOIN itemFilms ON itemFilms.film = films.id AND itemFilms.shown = 1
                        WHERE attemptMedia.attempt IN (SELECT value FROM json_each(?)) AND attemptMedia.kind = 'video'
                        """), arguments: [attempts])
            return Dictionary(rows.map { ($0["attempt"] as Int64, $0["film"] as String) }) { first, _ in first }
        }
        let pairs = seen.compactMap { span in
            films[span.hold.attempt].flatMap { HubID($0) }.map { (span.challenge, $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
