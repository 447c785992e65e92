internal import ChirpDatabase
internal import GRDB

/// Tells whether anything in the library has changed since it was asked before, whichever process changed it.
///
/// It asks SQLite for `PRAGMA data_version` (sqlite.org/pragma.html#pragma_data_version) on a connection of its own, which never writes: the
/// number changes with every commit of another connection. What was read after it was asked is not older than it says.
package final class LibraryVersion: Sendable {
    private let database: DatabaseQueue

    /// Opens a connection of its own: blocks for a moment.
    package init(_ library: HubLibrary) throws(LibraryError) {
        do { database = try library.file.reader() } catch { throw LibraryError(error, path: library.file.path) }
    }

    /// Blocks for some microseconds. Nil: it cannot be told now.
    package var current: Int? {
        try? database.unsafeRead { database in
            try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
        }
    }
}
