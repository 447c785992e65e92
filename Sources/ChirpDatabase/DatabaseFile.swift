package import GRDB
internal import Glibc

/// A database of this program: SQLite in write-ahead mode (sqlite.org/wal.html), used by several processes at once.
///
/// Every commit is written through to the disk (about a millisecond on a solid-state disk), so that a power cut loses nothing
/// that was confirmed; where that is not worth its time, see ``Durability``.
package struct DatabaseFile: Sendable {
    package let path: String
    /// Names its queues in debuggers.
    package let label: String
    /// How long to wait for another connection.
    package let patience: Duration
    /// When a commit is on the disk.
    package let durability: Durability
    /// How much of the file each connection keeps in memory at most, in KiB; less is in use where the file is small. A page that is not
    /// there is a system call.
    package let cache: Int
    /// How many bytes of the file, from its beginning, are read as memory instead (sqlite.org/mmap.html). Their pages are the system's, once
    /// for all connections, and cost no system call. A disk that fails beneath them ends the process, as one that is killed.
    package let mapped: Int64
    /// A commit that makes the write-ahead log longer than so many pages moves them into the file, and waits for that.
    package let logged: Int

    package enum Durability: String, Sendable {
        /// When it returns.
        case written = "FULL"
        /// Some time later: a power cut may lose the last ones, and never makes the database unreadable.
        case eventual = "NORMAL"
    }

    /// - Parameter path: the file; its folder exists.
    package init(
        path: String, label: String, patience: Duration = .seconds(10), durability: Durability = .written,
        cache: Int = 2000, mapped: Int64 = 0, logged: Int = 1000
    ) {
        self.path = path
        self.label = label
        self.patience = patience
        self.durability = durability
        self.cache = cache
        self.mapped = mapped
        self.logged = logged
    }

    /// Opens it with one connection, and makes it when there is none. Blocks for some milliseconds.
    package func queue() throws(DatabaseFailure) -> DatabaseQueue {
        try makeFile()
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration())
            try set(durability, of: queue)
            return queue
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Opens it with one connection that writes and others that read meanwhile, and makes it when there is none. Blocks for some
    /// milliseconds.
    ///
    /// - Parameter readers: how many may read at once, 1 or more.
    package func pool(readers: Int) throws(DatabaseFailure) -> DatabasePool {
        try makeFile()
        do {
            var configuration = configuration()
            configuration.maximumReaderCount = readers
            let pool = try DatabasePool(path: path, configuration: configuration)
            try set(durability, of: pool)
            return pool
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Opens one that exists, with a connection that cannot write. Blocks for a moment.
    package func reader() throws(DatabaseFailure) -> DatabaseQueue {
        do {
            var configuration = configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw DatabaseFailure(error)
        }
    }

    private func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.journalMode = .wal
        configuration.busyMode = .callback(Self.waiting(for: patience))
        configuration.prepareDatabase { [cache, mapped, logged] in
            try $0.execute(sql: "PRAGMA cache_size = -\(cache)")
            try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(logged)")
            if mapped > 0 { try $0.execute(sql: "PRAGMA mmap_size = \(mapped)") }
        }
        return configuration
    }

    /// Looks for the moment at which no other process writes. SQLite's own way (sqlite.org/c3ref/busy_timeout.html) sleeps up to a tenth of a second
    /// between two looks: of two processes that write much the one that waits missed nearly all such moments.
    private static func waiting(for patience: Duration) -> @Sendable (Int) -> Bool {
        let looks = Int(clamping: patience / .microseconds(Int(pause)))
        return { tries in
            guard tries < looks else { return false }
            usleep(pause)
            return true
        }
    }

    /// In microseconds.
    private static let pause: UInt32 = 2_000

    /// Not by `Configuration.prepareDatabase`: GRDB sets its own choice, NORMAL, after that, when it turns write-ahead mode on.
    private func set(_ durability: Durability, of database: some DatabaseWriter) throws {
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
    }

    /// Makes a file that its owner alone may read; SQLite would let others read it. Its side files take over the rights.
    ///
    /// Only a new file is opened here: closing one would drop the locks that another connection of this process holds on it
    /// (fcntl(2); sqlite.org/howtocorrupt.html, section 2.2).
    private func makeFile() throws(DatabaseFailure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw DatabaseFailure(.cannotOpen, reason: String(cString: strerror(errno)))
        }
    }
}
