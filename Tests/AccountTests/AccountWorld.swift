import ChirpAccounts
import ChirpCore
import ChirpDatabase
import ChirpTestKit
import Foundation
import GRDB
import Synchronization
import Testing

/// Accounts in a database of their own, with a cheap password hash and a clock that tests turn.
final class AccountWorld: Sendable {
    let folder: TemporaryFolder
    let accounts: Accounts
    private let clock: Mutexed<Date>
    private let database: DatabasePool

    private let commitCount = CommitCount()

    /// - Parameters:
    ///   - hasOwner: with the owner that a personal hub makes by itself.
    ///   - hubWords: of the hub's name.
    ///   - isLimited: wrong passwords and codes are counted.
    init(
        hasOwner: Bool = false, hubWords: [String] = [], isLimited: Bool = false,
        clock passwordClock: any Clock<Duration> = ContinuousClock(),
        isBanned: @escaping @Sendable (MailAddress, Database) throws -> Bool = { _, _ in false }
    ) throws {
        folder = try TemporaryFolder()
        let clock = Mutexed(Date(timeIntervalSince1970: 1_800_000_000))
        self.clock = clock
        let database = try DatabaseFile(path: folder.path("hub.sqlite"), label: "test").pool(readers: 2)
        // What `community-001` leaves of accounts.
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE accounts (id TEXT PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                        created INTEGER NOT NULL) STRICT
                    """)
            if hasOwner { try database.execute(sql: "INSERT INTO accounts VALUES ('me', 'me', 'Me', 0)") }
        }
        self.database = database
        try DatabaseMigrator(
            AccountSchema.steps + LetterSchema.steps + PeopleSchema.steps + TokenSchema.steps
                + IdentitySchema.steps + HandleSchema.steps + [AccountSchema.epochs] + PasskeySchema.steps
                + [AccountSchema.ends]
        ).bringUpToDate(database)
        let desk = PasswordDesk(cost: PasswordCost(memory: 8192, passes: 1), clock: passwordClock)
        let limits = isLimited ? try RateLimits(path: folder.path("limits.sqlite")) { clock.value } : nil
        accounts = Accounts(
            database: database, desk: desk, limits: limits, hubWords: hubWords, now: { clock.value }, isBanned: isBanned
        )
        database.add(transactionObserver: commitCount, extent: .databaseLifetime)
    }

    /// The same accounts as a process has them that was given this key.
    func accounts(key: LetterKey) -> Accounts {
        Accounts(
            database: database,
            desk: PasswordDesk(cost: PasswordCost(memory: 8192, passes: 1), clock: ContinuousClock()), key: key,
            now: { [clock] in clock.value })
    }

    /// How many transactions have changed something.
    var commits: Int { commitCount.value }

    /// Takes every letter that waits, as a postman does.
    func sendAll() async throws {
        while true {
            let letters = try await accounts.waitingLetters()
            for letter in letters { try await accounts.letterEnded(letter.id, wasSent: true) }
            if letters.isEmpty { return }
        }
    }

    var now: Date { clock.value }
    func wait(_ seconds: Double) { clock.change { $0 += seconds } }

    /// How many rows a table has.
    func rows(_ table: String) async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
    }

    /// Changes tables as nothing in the program does.
    func change(_ sql: String) async throws { try await database.write { try $0.execute(sql: sql) } }

    /// How a statement finds its rows.
    func plan(_ sql: String) async throws -> [String] {
        try await database.read { try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] } }
    }

    static let password = Secret("correct horse battery")

    /// Signs somebody up and confirms the address.
    @discardableResult
    func member(_ handle: String, mail: String? = nil) async throws -> HubAccount {
        let letter = try await accounts.signUp(
            handle: Handle(typed: handle), mail: MailAddress(typed: mail ?? "\(handle)@example.org"),
            password: Self.password, registration: .open)
        guard case .confirm(_, let link) = letter else { throw Unexpected() }
        _ = try await accounts.confirm(link.token)
        return try #require(try await accounts.account(Handle(typed: handle)))
    }

    func signIn(_ name: String, _ password: Secret = AccountWorld.password, code: String? = nil) async throws -> Session
    {
        try await accounts.signIn(name: name, password: password, code: code, agent: "a browser")
    }

    struct Unexpected: Error {}
}

/// Counts transactions that have changed something.
private final class CommitCount: TransactionObserver, Sendable {
    private let count = Mutexed(0)
    var value: Int { count.value }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { count.change { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
}
