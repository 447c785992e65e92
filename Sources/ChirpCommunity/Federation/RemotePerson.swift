internal import ChirpAccounts
package import FoundationEssentials
internal import ChirpDatabase
internal import GRDB

/// Somebody at another server, as that server has told.
package struct RemotePerson: Hashable, Sendable, Identifiable {
    /// In this library.
    package let id: Int64
    package let facts: Facts
    package let fetched: Date

    /// What her server says of her. Addresses were checked by whoever has read them: all are of one host.
    package struct Facts: Hashable, Sendable {
        /// Her id there.
        package var address: String
        /// With the port where one is named.
        package var host: String
        /// As in `ann@example.org`; plain text.
        package var handle: String
        /// Plain text.
        package var name: String
        package var page: String
        package var inbox: String
        /// Where one message is enough for all at that server.
        package var sharedInbox: String?
        package var outbox: String?
        package var keyID: String
        /// PEM.
        package var keyText: String

        package init(
            address: String, host: String, handle: String, name: String, page: String, inbox: String,
            sharedInbox: String? = nil, outbox: String? = nil, keyID: String, keyText: String
        ) {
            (self.address, self.host, self.handle, self.name, self.page) = (address, host, handle, name, page)
            (self.inbox, self.sharedInbox, self.outbox) = (inbox, sharedInbox, outbox)
            (self.keyID, self.keyText) = (keyID, keyText)
        }
    }
}

extension HubLibrary {
    /// How long an actor is kept whom nothing here refers to, in seconds.
    static let strangerAge = 30 * 24 * 3600.0

    /// Keeps what a server says of somebody, in place of what it said before.
    package func keep(_ facts: RemotePerson.Facts) async throws(LibraryError) -> RemotePerson {
        let now = Self.milliseconds(now())
        let found = try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO remoteActors (address, host, handle, name, page, inbox, sharedInbox, outbox, keyID, keyText, fetched)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (address) DO UPDATE SET host = excluded.host, handle = excluded.handle,
                        name = excluded.name, page = excluded.page, inbox = excluded.inbox,
                        sharedInbox = excluded.sharedInbox, outbox = excluded.outbox, keyID = excluded.keyID,
                        keyText = excluded.keyText, fetched = excluded.fetched
                    """
            ).execute(arguments: [
                facts.address, facts.host, facts.handle, facts.name, facts.page, facts.inbox, facts.sharedInbox,
                facts.outbox, facts.keyID, facts.keyText, now,
            ])
            return try RemotePerson.one("address = ?", [facts.address], in: database)
        }
        guard let found else {
            throw .inputOutput(path: file.path, reason: "the actor that was just written is not there")
        }
        return found
    }

    /// By her address; nil when she is not known here.
    package func remotePerson(at address: String) async throws(LibraryError) -> RemotePerson? {
        try await read { try RemotePerson.one("address = ?", [address], in: $0) }
    }
}

extension RemotePerson {
    static func one(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> RemotePerson? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM remoteActors WHERE \(condition)"), arguments: arguments
        ).map(RemotePerson.init)
    }

    /// Whether an account has blocked somebody elsewhere: by the account that stands for them here.
    static func isBlocked(_ actor: ID, by account: AccountID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM blocks JOIN accounts ON accounts.id = blocks.blocked
                        WHERE blocks.blocker = ? AND accounts.remote = ?)
                    """), arguments: [account, actor]) ?? false
    }

    private init(_ row: Row) {
        id = row["id"]
        facts = Facts(
            address: row["address"], host: row["host"], handle: row["handle"], name: row["name"], page: row["page"],
            inbox: row["inbox"], sharedInbox: row["sharedInbox"], outbox: row["outbox"], keyID: row["keyID"],
            keyText: row["keyText"])
        fetched = HubLibrary.date(row["fetched"])
    }
}
