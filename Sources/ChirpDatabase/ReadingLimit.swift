internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// How long one question may keep a reader: what a stranger asks for is to leave readers for others, whatever it is.
///
/// Processor time counts, not that of the clock: a busy machine or a slow disk ends nothing.
package enum ReadingLimit {
    /// Of one question, in ms; nil: as long as it takes, as for backups and checks. Tasks hand it on to those that they begin.
    @TaskLocal package static var processorTime: Int?

    /// How many steps of SQLite's machine are done between two looks at the clock: some tenths of a millisecond.
    private static let steps: Int32 = 10_000

    fileprivate struct Watch {
        let end: Int
        var isOver = false
    }

    /// Asks a question within the task's limit (sqlite.org/c3ref/progress_handler.html).
    ///
    /// - Throws: ``DatabaseFailure`` of the kind `busy` when it took longer; what `body` throws.
    static func during<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        guard let most = processorTime else { return try body(database) }
        let connection = database.sqliteConnection
        var watch = Watch(end: spent + most * 1_000_000)
        return try withUnsafeMutablePointer(to: &watch) { watch in
            sqlite3_progress_handler(connection, steps, look, watch)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            do { return try body(database) } catch {
                guard watch.pointee.isOver else { throw error }
                throw DatabaseFailure(.busy, reason: "a question took more than \(most) ms")
            }
        }
    }

    /// What this thread has computed so far, in ns.
    fileprivate static var spent: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// What SQLite calls: not 0 ends the statement.
private func look(_ context: UnsafeMutableRawPointer?) -> CInt {
    guard let watch = context?.assumingMemoryBound(to: ReadingLimit.Watch.self),
        ReadingLimit.spent > watch.pointee.end
    else { return 0 }
    watch.pointee.isOver = true
    return 1
}
