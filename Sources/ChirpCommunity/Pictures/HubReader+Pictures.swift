internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// A file of a picture that somebody may see.
package struct SeenPicture: Sendable {
    package let file: MediaFile
    /// Lower-case hexadecimal.
    package let sha256: String
    package let created: Date
    /// Whether everybody may see it now.
    package let isPublic: Bool
}

extension HubReader {
    /// A file of a picture, for those who may see something that it is of, for its owner, and for moderators.
    ///
    /// - Returns: nil when there is none, also for those who may not see it.
    package func picture(_ id: HubID, _ size: HubPicture.Size) async throws(LibraryError) -> SeenPicture? {
        let everybody = library.seen(by: .visitor).visibleItems
        let (mine, account) = (visibleItems, account)
        func shown(_ condition: String) -> String {
            """
            (SELECT state FROM accounts WHERE accounts.id = pictures.owner) <> 'closed'
            AND EXISTS (SELECT 1 FROM itemPictures JOIN items ON items.sequence = itemPictures.item
                WHERE itemPictures.picture = pictures.id AND items.account = pictures.owner AND \(condition)
                UNION ALL SELECT 1 FROM itemMedia JOIN items ON items.id = itemMedia.item
                WHERE itemMedia.picture = pictures.id AND itemMedia.shown = 1 AND \(condition))
            """
        }
        let sql = """
            SELECT pictureFiles.sha256, pictures.created, \(shown(everybody.sql)) AS isPublic
            FROM pictures JOIN pictureFiles ON pictureFiles.picture = pictures.id AND pictureFiles.name = ?
            WHERE pictures.id = ? AND pictures.state = 'ready'
                AND (pictures.owner = ? OR \(shown(mine.sql))
                    AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ? AND blocked = pictures.owner)
                    AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = pictures.owner AND blocked = ?)
                OR EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ? AND role IN ('moderator', 'owner')
                    AND state = 'active'))
            """
        // Each condition stands there twice.
        var arguments = everybody.arguments + everybody.arguments
        arguments += [size.rawValue, id.text, account]
        arguments += mine.arguments + mine.arguments
        arguments += [account, account, account]
        let found = try await library.read { [arguments] database in
            try Row.fetchOne(database, sql: sql, arguments: arguments).map { row in
                (sha256: row["sha256"] as String, created: row["created"] as Int64, isPublic: row["isPublic"] as Bool)
            }
        }
        guard let found, let file = await offPool({ [library] in MediaFile(library.pictures.file(id, size)) }) else {
            return nil
        }
        return SeenPicture(
            file: file, sha256: found.sha256, created: HubLibrary.date(found.created), isPublic: found.isPublic)
    }

    /// Whether a picture was shown with something that was hidden or taken back since: caches are told to forget it.
    package func isPictureGone(_ id: HubID) async throws(LibraryError) -> Bool {
        let unblocked = unblockedItems
        return try await library.read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM itemPictures JOIN items ON items.sequence = itemPictures.item
                            WHERE itemPictures.picture = ? AND items.state <> 'draft' AND items.shut = 0
                                AND \(unblocked.sql))
                        """), arguments: [id.text] + unblocked.arguments) ?? false
        }
    }
}
