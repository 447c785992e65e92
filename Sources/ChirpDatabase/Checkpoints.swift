internal import GRDB
internal import Synchronization

/// Moves what commits have written from the write-ahead log into the file, on a connection of its own: beside whoever reads and writes
/// meanwhile (sqlite.org/wal.html, 3.1, PASSIVE).
///
/// SQLite itself lets the commit do it that makes the log longer than a thousand pages. On a busy disk of 100,000 tracks, 40 commits a second of 50
/// pages each took 18 ms at the median and 122 to 212 at p95 so; with this every two seconds, 20 and 48.
package final class Checkpoints: Sendable {
    private let file: DatabaseFile
    private let connection = Mutex<DatabaseQueue?>(nil)

    package init(_ file: DatabaseFile) { self.file = DatabaseFile(path: file.path, label: "\(file.label).checkpoint") }

    /// Moves what nobody reads in the log any more. Blocks, for tenths of a second where much was written.
    package func move() throws(DatabaseFailure) {
        do {
            let queue = try connection.withLock { connection in
                let queue = try connection ?? file.queue()
                connection = queue
                return queue
            }
            // Another process that does the same at this moment is no failure.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
        } catch {
            throw DatabaseFailure(error)
        }
    }
}
