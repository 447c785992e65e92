package import ChirpAccounts
public import ChirpCore
internal import ChirpDatabase
public import FoundationEssentials
internal import GRDB
internal import Glibc

/// What the hub holds on this machine: clips, posts and accounts in SQLite, and the clips' bytes in a folder beside it.
///
/// Any number of processes may have the same library open: `chirp publish` writes while `chirp serve` reads. SQLite runs in
/// write-ahead mode (sqlite.org/wal.html), so readers and the one writer do not stop each other, and each read sees what
/// was committed before it began. Commits are written through to the disk, because a publication that was confirmed must
/// survive a power cut.
///
/// A clip is a file and a row. The file comes first and the row makes it count: a process that dies in between leaves a
/// file that the same `save` replaces, and that ``sweep(at:)`` removes after ``strayAge``.
public final class HubLibrary: Sendable {
    /// Where it lies.
    public let folder: String
    /// Where its tables lie.
    let file: DatabaseFile
    let database: DatabasePool
    let checkpoints: Checkpoints
    let readers: ReaderThreads
    /// Where the bytes of clips lie.
    package let media: MediaFolder
    /// Where the bytes of uploads lie.
    package let uploads: UploadFolder
    /// Where the files of pictures lie.
    package let pictures: PictureFolder
    /// Where the files of films lie.
    package let films: FilmFolder
    let limit: ByteCount?
    let reserve: ByteCount
    /// The clock on the wall.
    package let now: @Sendable () -> Date
    /// Whose library it is: the account that was made with it.
    package let owner: PostAuthor
    /// What boards keep in it.
    package let boards: [BoardTables]
    /// Who fetches the sound of clips that is kept elsewhere; nil: nobody.
    let away: AwaySound?

    /// What stays free on the disk whatever the limit is: SQLite and the rest of the machine need room too.
    public static let defaultReserve = ByteCount(Int64(64_000_000))
    /// Files without a row are left alone this long in seconds, since their process may be about to write the row.
    static let strayAge = 3600.0
    /// Opens the library, and makes it when there is none. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - folder: its folder; made for the owner alone.
    ///   - limit: the most that all clips together may take; nil means the disk is the limit.
    ///   - reserve: what must stay free on the disk.
    ///   - now: the clock on the wall.
    public convenience init(
        folder: String, limit: ByteCount? = nil, reserve: ByteCount = HubLibrary.defaultReserve,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(LibraryError) {
        try self.init(folder: folder, limit: limit, reserve: reserve, now: now, boards: [])
    }

    /// Opens the library with the tables of boards.
    ///
    /// - Parameters:
    ///   - boards: of all boards, shown or not; a library that has tables of others is taken for a newer one.
    ///   - away: who fetches the sound of clips that is kept elsewhere.
    package init(
        folder: String, limit: ByteCount? = nil, reserve: ByteCount = HubLibrary.defaultReserve,
        now: @escaping @Sendable () -> Date = { Date() }, boards: [BoardTables], away: AwaySound? = nil
    ) throws(LibraryError) {
        self.folder = folder
        self.boards = boards
        self.away = away
        self.limit = limit
        self.reserve = reserve
        self.now = now
        file = DatabaseFile(
            path: "\(folder)/hub.sqlite", label: "chirp.hub", cache: Self.cache, mapped: Self.mapped,
            logged: Self.logged)
        checkpoints = Checkpoints(file)
        media = MediaFolder(path: "\(folder)/media")
        uploads = UploadFolder(path: "\(folder)/uploads")
        pictures = PictureFolder(path: "\(folder)/pictures")
        films = FilmFolder(path: "\(folder)/films")
        try MediaFolder.make(folder)
        try MediaFolder.make(media.path)
        try MediaFolder.make(uploads.path)
        try MediaFolder.make(pictures.path)
        try MediaFolder.make(films.path)

        // Two processes that make the same library at once take turns; the lock ends with the process at the latest.
        let lock = open("\(folder)/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw .unusableFolder(path: folder, reason: String(cString: strerror(errno)))
        }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw .unusableFolder(path: folder, reason: String(cString: strerror(errno)))
            }
        }
        do throws(DatabaseFailure) {
            database = try file.pool(readers: Self.mostReaders)
            readers = ReaderThreads(Self.mostReaders, label: file.label)
            try CommunitySchema.bringUpToDate(database, boards: boards)
            owner = try Self.owner(of: database, now: Self.milliseconds(now()))
        } catch {
            switch error.kind {
            case .cannotOpen: throw .unusableFolder(path: folder, reason: "its database cannot be opened")
            case .notADatabase: throw .unusableFolder(path: folder, reason: "hub.sqlite is not a database")
            default: throw LibraryError(error, path: file.path)
            }
        }
    }

    /// How many questions are answered at once.
    private static let mostReaders = 8
    /// In KiB, for each of nine connections: at a million items the pages of a search were read by 3,000 system calls with SQLite's 2 MB.
    private static let cache = 16_000
    /// The most that Debian's SQLite maps. Of pages of two boards with a million items a seventh of the processor time went into those calls.
    private static let mapped: Int64 = 0x7fff_0000
    /// 40 MB. The process on duty moves them before that; where none serves, a commit does.
    private static let logged = 10_000

    /// The first account of a library, which is made now when there is none.
    private static func owner(of database: DatabasePool, now: Int64) throws(DatabaseFailure) -> PostAuthor {
        func first(_ database: Database) throws -> PostAuthor? {
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT id, handle, name FROM accounts ORDER BY rowid LIMIT 1")
            )
            .map(PostAuthor.init)
        }
        do {
            if let owner = try database.read(first) { return owner }
            let owner = PostAuthor(id: AccountID(rawValue: "me"), handle: "me", name: "Me")
            try database.write { database in
                try database.cachedStatement(
                    sql: """
                        INSERT INTO accounts (id, handle, skeleton, name, role, created) VALUES (?, ?, ?, ?, 'owner', ?)
                        """
                ).execute(arguments: [owner.id, owner.handle, owner.handle, owner.name, now])
            }
            return owner
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Its accounts.
    ///
    /// - Parameters:
    ///   - key: what links in letters are made with.
    ///   - limits: counts wrong passwords and codes.
    ///   - hubWords: see ``PasswordRule``.
    package func accounts(
        _ desk: PasswordDesk = PasswordDesk(), key: LetterKey = LetterKey(), limits: RateLimits? = nil,
        hubWords: [String] = []
    ) -> Accounts {
        Accounts(
            database: database, desk: desk, key: key, limits: limits, credentials: Self.credentialRows,
            hubWords: hubWords, now: now
        ) { [now] mail, database in
            try Self.isBanned(mail, at: Self.milliseconds(now()), in: database)
        } isErasing: { [boards] account, database in
            for board in boards { try board.erase(account, database) }
        }
    }

    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(LibraryError) -> T {
        do { return try await readers.read(database, body) } catch {
            throw LibraryError(DatabaseFailure(error), path: file.path)
        }
    }

    func write<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(LibraryError) -> T {
        do { return try await database.write(body) } catch {
            throw LibraryError(DatabaseFailure(error), path: file.path)
        }
    }

    /// What a transaction has thrown that is no refusal.
    func libraryError(_ error: any Error) -> LibraryError {
        (error as? LibraryError) ?? LibraryError(DatabaseFailure(error), path: file.path)
    }

    /// An instant as the tables keep it.
    static func milliseconds(_ date: Date) -> Int64 { Accounts.milliseconds(date) }

    static func date(_ milliseconds: Int64) -> Date { Accounts.date(milliseconds) }
}
