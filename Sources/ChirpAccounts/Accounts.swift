package import ChirpCore
internal import ChirpDatabase
package import FoundationEssentials
package import GRDB

/// The accounts of a hub: who they are, how they sign in, and what stands for them afterwards.
///
/// All of it lies in the hub's database, so that a copy of that is a copy of everything. Each act is one transaction: it happened
/// or it did not, whenever the process ends.
package struct Accounts: Sendable {
    let database: any DatabaseWriter
    let desk: PasswordDesk
    /// Makes links in letters, and the names of accounts in authenticators.
    let key: LetterKey
    /// The clock on the wall.
    let now: @Sendable () -> Date
    /// What letters are written in, by its code of ISO 639-1: the language of whoever asks.
    private(set) var language = "en"
    /// From where it is asked; nil where no request is behind it.
    private(set) var network: ClientNetwork?
    /// The credential that the request has shown, and its account; nil where no request is behind it. See ``asked(by:of:)``.
    var shown: (ShownCredential, AccountID)?
    /// How the person has confirmed the act; nil where that was not asked for. See ``confirmed(by:)``.
    var proof: AccountProof?
    /// Counts wrong passwords and codes; nil where nobody asks from outside.
    let limits: RateLimits?
    /// Whether nobody may sign up with a mail address.
    let isBanned: @Sendable (MailAddress, Database) throws -> Bool
    /// What others keep that follows from what is somebody's, before it goes with her account.
    let isErasing: @Sendable (AccountID, Database) throws -> Void
    /// Where all that opens accounts is kept.
    let credentials: [CredentialRows]
    /// Words that no password of this hub may be made of: those of its address.
    let hubWords: [String]

    /// - Parameters:
    ///   - database: has all of ``AccountSchema/steps``, ``LetterSchema/steps`` and ``TokenSchema/steps``.
    ///   - desk: checks passwords.
    ///   - key: without one no letter with a link can be sent by another process, and no passkey outlives this one.
    ///   - limits: counts wrong passwords and codes. Without it they are not counted: for commands of the owner.
    ///   - isBanned: asked within the transaction that signs somebody up, or changes an address.
    ///   - isErasing: called within the transaction that erases an account, before the row goes.
    ///   - credentials: of this module and of those above it.
    ///   - hubWords: see ``PasswordRule``.
    package init(
        database: any DatabaseWriter, desk: PasswordDesk, key: LetterKey = LetterKey(), limits: RateLimits? = nil,
        credentials: [CredentialRows] = Accounts.credentialRows, hubWords: [String] = [],
        now: @escaping @Sendable () -> Date = { Date() },
        isBanned: @escaping @Sendable (MailAddress, Database) throws -> Bool = { _, _ in false },
        isErasing: @escaping @Sendable (AccountID, Database) throws -> Void = { _, _ in }
    ) {
        self.database = database
        self.desk = desk
        self.key = key
        self.limits = limits
        self.now = now
        self.isBanned = isBanned
        self.isErasing = isErasing
        self.credentials = credentials
        self.hubWords = hubWords
    }

    /// The same for somebody who reads another language.
    ///
    /// - Parameter language: a code of ISO 639-1.
    package func speaking(_ language: String) -> Accounts {
        var accounts = self
        accounts.language = language
        return accounts
    }

    /// The same for a request, whose letters are counted for where it comes from.
    package func asked(from network: ClientNetwork) -> Accounts {
        var accounts = self
        accounts.network = network
        return accounts
    }

    /// By its id; nil when there is none.
    package func account(_ id: AccountID) async throws(AccountError) -> HubAccount? {
        try await read { try Self.account("id = ?", [id], in: $0) }?.settled(at: now())
    }

    /// By its handle; nil when there is none.
    package func account(_ handle: Handle) async throws(AccountError) -> HubAccount? {
        try await read { try Self.account("handle = ?", [handle.text], in: $0) }?.settled(at: now())
    }

    /// Whose hub it is: the one that was there first. Nil in a hub where nobody is yet.
    package func owner() async throws(AccountError) -> HubAccount? {
        try await read { try Self.account("role = 'owner' ORDER BY rowid LIMIT 1", [], in: $0) }
    }

    static func account(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> HubAccount? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(HubAccount.columns) FROM accounts WHERE \(condition)"),
            arguments: arguments
        ).map(HubAccount.init)
    }

    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(AccountError) -> T {
        do { return try await database.read(body) } catch { throw Self.failure(error) }
    }

    func write<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(AccountError) -> T {
        do {
            return try await database.write { database in
                try requireGrounds(in: database)
                return try body(database)
            }
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> AccountError {
        (error as? AccountError) ?? AccountError(DatabaseFailure(error))
    }

    /// An instant as the tables keep it.
    package static func milliseconds(_ date: Date) -> Int64 {
        let value = (date.timeIntervalSince1970 * 1000).rounded(.down)
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    package static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
