internal import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// A file of a film that somebody may see.
package struct SeenFilm: Sendable {
    package let file: MediaFile
    /// As it is answered: `video/mp4`.
    package let type: String
    /// Lower-case hexadecimal.
    package let sha256: String
    package let created: Date
    /// Whether everybody may see it now.
    package let isPublic: Bool
}

extension HubReader {
    /// A file of a film, for those who may see an item that it is shown with, for its owner, and for moderators. What was sent is for
    /// nobody: where it was recorded may be in it.
    ///
    /// - Returns: nil when there is none, also for those who may not see it.
    package func film(_ id: HubID, _ file: HubFilm.File) async throws(LibraryError) -> SeenFilm? {
        guard file != .plain, let type = file.type else { return nil }
        let everybody = library.seen(by: .visitor).visibleItems
        let (mine, account) = (visibleItems, account)
        func shown(_ condition: String) -> String {
            """
            EXISTS (SELECT 1 FROM itemFilms JOIN items ON items.id = itemFilms.item
                WHERE itemFilms.film = films.id AND itemFilms.shown = 1 AND \(condition))
                AND (SELECT state FROM accounts WHERE accounts.id = films.owner) <> 'closed'
            """
        }
        let sql = """
            SELECT filmFiles.sha256, films.created, \(shown(everybody.sql)) AS isPublic
            FROM films JOIN filmFiles ON filmFiles.film = films.id AND filmFiles.name = ?
            WHERE films.id = ? AND films.state = 'ready' AND (films.owner = ? OR \(shown(mine.sql))
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ? AND blocked = films.owner)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = films.owner AND blocked = ?)
                OR EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ? AND role IN ('moderator', 'owner')
                    AND state = 'active'))
            """
        var arguments = everybody.arguments
        arguments += [file.rawValue, id.text, account]
        arguments += mine.arguments
        arguments += [account, account, account]
        let found = try await library.read { [arguments] database in
            try Row.fetchOne(database, sql: sql, arguments: arguments).map { row in
                (sha256: row["sha256"] as String, created: row["created"] as Int64, isPublic: row["isPublic"] as Bool)
            }
        }
        guard let found, let opened = await offPool({ [library] in MediaFile(library.films.file(id, file)) }) else {
            return nil
        }
        return SeenFilm(
            file: opened, type: type, sha256: found.sha256, created: HubLibrary.date(found.created),
            isPublic: found.isPublic)
    }

    /// A film as it is judged, without the timer that others see (OU-14): for its owner, for moderators, and for whom a board has judge what it is
    /// of (``BoardTables/judges``). Where no timer was wanted it is the shown copy.
    ///
    /// - Returns: nil when there is none, also for those who may not see it.
    package func judgedFilm(_ id: HubID) async throws(LibraryError) -> SeenFilm? {
        guard let account else { return nil }
        let instant = HubLibrary.milliseconds(now)
        let found = try await library.read { [library] database -> (HubFilm.File, String, Int64)? in
            guard let film = try Films.film(id, in: database), film.state == .ready,
                let standing = try AccountStanding(of: account, at: instant, in: database)
            else { return nil }
            var mayJudge = film.owner == account || standing.isModerator
            for board in library.boards where !mayJudge && standing.isActive {
                mayJudge = try board.judges(account, id, instant, database)
            }
            guard mayJudge else { return nil }
            return try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT filmFiles.name, filmFiles.sha256, films.created
                        FROM filmFiles JOIN films ON films.id = filmFiles.film
                        WHERE film = ? AND (name IN ('plain', 'shown') OR name = 'sound' AND films.width = 0)
                        ORDER BY name = 'sound' DESC, name LIMIT 1
                        """), arguments: [id.text]
            ).flatMap { row in
                HubFilm.File(rawValue: row["name"]).map { ($0, row["sha256"], row["created"]) }
            }
        }
        guard let (file, sha256, created) = found, let type = file.type,
            let opened = await offPool({ [library] in MediaFile(library.films.file(id, file)) })
        else { return nil }
        return SeenFilm(
            file: opened, type: type, sha256: sha256, created: HubLibrary.date(created), isPublic: false)
    }
}
