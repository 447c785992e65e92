package import ChirpAccounts
package import ChirpCore
package import FoundationEssentials
internal import ChirpDatabase
internal import GRDB

/// Who speaks for this hub to other servers: somebody who has switched that on, or the hub itself.
package struct FederationActor: Hashable, Sendable, Identifiable {
    /// A part of its address; tells nothing of anybody.
    package let id: String
    /// Nil: the hub itself, or somebody who is gone.
    package let author: PostAuthor?
    package let isHub: Bool
    /// Switched on, and not closed.
    package let isOn: Bool
    /// An RSA key, PKCS #8 in PEM.
    package let key: Secret
    package let created: Date
}

extension HubLibrary {
    /// Lets other servers follow an account from now on. May be repeated; who had it on before keeps her address and key.
    ///
    /// - Parameter key: of a new actor.
    package func federate(_ account: AccountID, key: Secret) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO federationActors (id, account, isOn, key, created)
                    SELECT lower(hex(randomblob(12))), id, 1, ?, ? FROM accounts WHERE id = ? AND state = 'active'
                    ON CONFLICT (account) DO UPDATE SET isOn = 1
                    """
            ).execute(arguments: [key.reveal(), now, account])
        }
    }

    /// Nobody elsewhere follows an account any more: its followers' servers are told to forget it.
    package func endFederation(of account: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE federationActors SET isOn = 0 WHERE account = ? AND isOn = 1")
                .execute(arguments: [account])
        }
    }

    /// The actor of the hub itself, which is made when it is asked for first.
    ///
    /// - Parameter key: makes a key; asked only when there is none.
    package func federationActorOfHub(key: @Sendable () throws -> Secret) async throws -> FederationActor {
        if let found = try await federationActor("isHub = 1", []) { return found }
        let (made, now) = (try key(), Self.milliseconds(now()))
        try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO federationActors (id, isHub, isOn, key, created)
                    VALUES (lower(hex(randomblob(12))), 1, 1, ?, ?) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [made.reveal(), now])
        }
        guard let found = try await federationActor("isHub = 1", []) else {
            throw LibraryError.inputOutput(path: file.path, reason: "the hub's own actor is not there")
        }
        return found
    }

    /// By the part of its address; also one that is switched off.
    package func federationActor(_ id: String) async throws(LibraryError) -> FederationActor? {
        try await federationActor("federationActors.id = ?", [id])
    }

    /// Somebody's; nil for who never had it on.
    package func federationActor(of account: AccountID) async throws(LibraryError) -> FederationActor? {
        try await federationActor("federationActors.account = ?", [account])
    }

    private func federationActor(
        _ condition: String, _ arguments: StatementArguments
    ) async throws(LibraryError) -> FederationActor? {
        try await read { try FederationActor.one(condition, arguments, in: $0) }
    }

    /// How many follow an account from other servers.
    package func remoteFollowerCount(of account: AccountID) async throws(LibraryError) -> Int {
        try await read { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM remoteFollowers WHERE account = ?"),
                arguments: [account]) ?? 0
        }
    }
}

extension FederationActor {
    static func one(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> FederationActor? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT federationActors.*, accounts.handle, accounts.name, accounts.state
                    FROM federationActors LEFT JOIN accounts ON accounts.id = federationActors.account WHERE \(condition)
                    """), arguments: arguments
        ).map(FederationActor.init)
    }

    private init(_ row: Row) {
        let (account, state): (AccountID?, String?) = (row["account"], row["state"])
        id = row["id"]
        author = account.map { PostAuthor(id: $0, handle: row["handle"] ?? "", name: row["name"] ?? "") }
        isHub = row["isHub"]
        isOn = row["isOn"] && (isHub || state == "active" || state == "suspended")
        key = Secret(row["key"])
        created = HubLibrary.date(row["created"])
    }
}
