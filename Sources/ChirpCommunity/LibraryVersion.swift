internal import ChirpDatabase
internal import GRDB

/// Tells whether anything in the library has changed since it was asked before, whichever process changed it.
///
/// It asks SQLite for `PRAGMA data_version` (sqlite.org/pragma.html#pragma_data_version) on a connection of its own, which never writes: the
/// number changes with every commit of another connection. What was read after it was asked is not older than it says.
package final class LibraryVersion: Sendable {
    private let database: DatabaseQueue
    private let path: String

    /// Opens a connection of its own: blocks for a moment.
    package init(_ library: HubLibrary) throws(LibraryError) {
        path = library.file.path
        do { database = try library.file.reader() } catch { throw LibraryError(error, path: path) }
    }

    /// Another number than before, if anything has changed. Blocks for some microseconds.
    package var current: Int {
        get throws(LibraryError) {
            do {
                return try database.unsafeRead(Self.number)
            } catch {
                throw LibraryError(DatabaseFailure(error), path: path)
            }
        }
    }

    /// Changes with what other connections than this one commit.
    static func number(_ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }
}
