package import ChirpAccounts
internal import ChirpFiles
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The photo of a frame: the one that was chosen or was brought from another network; nil when there is none.
    package func photo(of frame: FrameDevice.ID) async throws(LibraryError) -> Portrait? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT jpeg, sha256, created FROM framePhotos WHERE frame = ?"),
                arguments: [frame]
            ).map { row in
                Portrait(jpeg: Array(row["jpeg"] as Data), sha256: row["sha256"], created: Self.date(row["created"]))
            }
        }
    }

    /// Gives a frame a photo, or takes the chosen one away. The crop begins anew with it.
    ///
    /// - Parameters:
    ///   - jpeg: made by this program, never what somebody has sent.
    ///   - isOwn: somebody has chosen it; a picture of the person from elsewhere never replaces such a one.
    package func setPhoto(
        of frame: FrameDevice.ID, to jpeg: [UInt8]?, isOwn: Bool = true
    ) async throws(LibraryError) -> FrameDevice? {
        let now = Self.milliseconds(now())
        return try await write { database in
            let hasOwn =
                try Bool.fetchOne(
                    database.cachedStatement(sql: "SELECT isOwn FROM framePhotos WHERE frame = ?"), arguments: [frame])
                ?? false
            guard isOwn || !hasOwn else { return try Self.frame("frames.id = ?", [frame], in: database) }
            try database.cachedStatement(sql: "DELETE FROM framePhotos WHERE frame = ?").execute(arguments: [frame])
            if let jpeg {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO framePhotos (frame, isOwn, jpeg, sha256, created)
                        SELECT id, ?, ?, ?, ? FROM frames WHERE id = ?
                        """
                ).execute(arguments: [isOwn, Data(jpeg), FileDigest.sha256(of: jpeg), now, frame])
            }
            try database.cachedStatement(sql: "UPDATE frames SET crop = '{}', version = version + 1 WHERE id = ?")
                .execute(arguments: [frame])
            return try Self.frame("frames.id = ?", [frame], in: database)
        }
    }
}
