package import ChirpAccounts
package import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// A film, whatever became of it; for whoever knows that the viewer may see what it says.
    package func film(_ id: HubID) async throws(LibraryError) -> HubFilm? {
        try await read { try Films.film(id, in: $0) }
    }

    /// Writes down what was made of a film, which makes its files count, and the film is ready from now on. May be repeated.
    ///
    /// - Parameter made: with all files in their places.
    /// - Returns: false when it is not wanted any more: then nobody accounts for the files.
    /// - Throws: ``UploadRefusal`` when its files are more than the account may have.
    package func finish(_ id: HubID, as made: MadeFilm, quota: ByteCount) async throws(UploadRefusal) -> Bool {
        let bytes = made.files.reduce(0) { $0 + $1.bytes }
        let isDone = try await deciding { database in
            guard let item = try Self.item(id, database), item.state == .checking else { return false }
            // What the upload has reserved is free for the film.
            try database.cachedStatement(
                sql: "UPDATE media SET reserved = 0, state = 'ready', why = NULL, expires = NULL WHERE id = ?"
            ).execute(arguments: [id.text])
            try self.checkRoom(for: bytes, of: item.owner, quota: quota, disk: nil, database)
            try database.cachedStatement(
                sql: """
                    UPDATE films SET state = 'ready', why = NULL, bytes = ?, milliseconds = ?, width = ?, height = ?,
                        sound = ?, timed = ? WHERE id = ? AND state = 'checking'
                    """
            ).execute(arguments: [
                bytes, made.facts.milliseconds, made.facts.width, made.facts.height, made.facts.hasSound,
                made.facts.hasTimer, id.text,
            ])
            guard database.changesCount == 1 else { throw UploadRefusal.nothing }
            for file in made.files {
                try database.cachedStatement(
                    sql: "INSERT INTO filmFiles (film, name, bytes, sha256) VALUES (?, ?, ?, ?)"
                ).execute(arguments: [id.text, file.name.rawValue, file.bytes, file.sha256])
            }
            return true
        }
        if isDone { await offPool { [uploads] in uploads.remove(id) } }
        return isDone
    }

    /// Takes a film of somebody's away that nothing uses.
    ///
    /// - Returns: false when there is none, it is another's, it is not ready, or something uses it.
    package func removeFilm(_ id: HubID, of account: AccountID) async throws(LibraryError) -> Bool {
        let isRemoved = try await write { database in
            try database.cachedStatement(
                sql: """
                    DELETE FROM films WHERE id = ? AND owner = ? AND state IN ('ready', 'refused')
                        AND \(try Films.isUnused(in: database))
                    """
            ).execute(arguments: [id.text, account])
            return database.changesCount == 1
        }
        if isRemoved { await offPool { [films] in films.remove(id) } }
        return isRemoved
    }

    /// For so many seconds a film waits for something to use it.
    package static let unusedFilmPatience = 24 * 3600.0

    /// Removes films that nothing uses any more, and files without a row, such as those of an account that was erased.
    ///
    /// - Returns: how many films, and how many files of none.
    func sweepFilms(at instant: Date) async throws(LibraryError) -> (films: Int, strays: Int) {
        let limit = Self.milliseconds(instant.addingTimeInterval(-Self.unusedFilmPatience))
        // Whether something uses it is asked by the statement that removes it: what begins to meanwhile keeps its film.
        let removed = try await write { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        DELETE FROM films WHERE created <= ? AND state IN ('ready', 'refused')
                            AND \(try Films.isUnused(in: database)) RETURNING id
                        """), arguments: [limit])
        }
        for id in removed.compactMap({ HubID($0) }) { await offPool { [films] in films.remove(id) } }
        let old = try await offPool { [films] () throws(LibraryError) in
            try films.files(writtenBefore: instant.addingTimeInterval(-Self.strayAge))
        }
        for path in old.temporary { await offPool { [films] in films.removeTemporary(path) } }
        var strays = old.temporary.count
        // Of one that is being checked there may be files already.
        for id in old.films where try await !hasFiles(id) {
            await offPool { [films] in films.remove(id) }
            strays += 1
        }
        return (removed.count, strays)
    }

    private func hasFiles(_ id: HubID) async throws(LibraryError) -> Bool {
        try await read {
            try Bool.fetchOne(
                $0.cachedStatement(sql: "SELECT 1 FROM films WHERE id = ? AND state <> 'refused'"), arguments: [id.text]
            ) ?? false
        }
    }
}
