package import ChirpCore
internal import GRDB

extension HubLibrary {
    /// Writes down what was made of a track: its file and its preview count, and it is ready from now on. May be repeated.
    ///
    /// - Parameter made: with both files in their places.
    /// - Returns: false when it is not wanted any more: then nobody accounts for the files.
    /// - Throws: ``UploadRefusal`` when they are more than the account may have.
    package func finish(
        _ id: HubID, asTrack made: MadeTrack, quota: ByteCount
    ) async throws(UploadRefusal) -> Bool {
        let isDone = try await deciding { database in
            guard let item = try Self.item(id, database), item.state == .checking else { return false }
            // What the upload has reserved is free for the track.
            try database.cachedStatement(
                sql: "UPDATE media SET reserved = 0, state = 'ready', why = NULL, expires = NULL WHERE id = ?"
            ).execute(arguments: [id.text])
            try self.checkRoom(
                for: made.master.bytes + made.preview.bytes, of: item.owner, quota: quota, disk: nil, database)
            try Self.insert(made.preview, database)
            try database.cachedStatement(
                sql: """
                    UPDATE films SET state = 'ready', why = NULL, bytes = ?, milliseconds = ?, width = 0, height = 0,
                        sound = 1, clip = ?, findings = ? WHERE id = ? AND state = 'checking' AND track = 1
                    """
            ).execute(arguments: [
                made.master.bytes, made.milliseconds, made.preview.id.text, made.findings, id.text,
            ])
            guard database.changesCount == 1 else { throw UploadRefusal.nothing }
            try database.cachedStatement(
                sql: "INSERT INTO filmFiles (film, name, bytes, sha256) VALUES (?, 'original', ?, ?)"
            ).execute(arguments: [id.text, made.master.bytes, made.master.sha256])
            return true
        }
        if isDone { await offPool { [uploads] in uploads.remove(id) } }
        return isDone
    }

    /// Where the file of a track lies, as it was sent, for whoever knows that it may be read: nobody gets it by an address of the library.
    package func master(_ id: HubID) -> String { films.file(id, .original) }
}
