package import ChirpAccounts
internal import ChirpDatabase
internal import FoundationEssentials
package import GRDB

extension HubLibrary {
    /// A transaction over the library's tables and those of boards. What the body throws, this throws, and nothing was written; what the
    /// database throws comes as ``LibraryError``.
    package func transact<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        do { return try await database.write(body) } catch let error as DatabaseError { throw libraryError(error) }
    }

    /// Reads what boards keep beside the library's tables: all of it as it was at one moment.
    package func reading<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        do { return try await readers.read(database, body) } catch
            where error is DatabaseError || error is DatabaseFailure
        {
            throw libraryError(error)
        }
    }

    /// Lists something; once for its author and key, however often it is asked for.
    package func createItem(_ draft: ItemDraft) async throws(ItemRefusal) -> HubID {
        try await refusing { try Items.create(draft, by: self, in: $0) }
    }

    /// Whom a member is told of by her own address in the tables of boards: somebody who has a page here.
    package func author(_ account: AccountID) async throws(LibraryError) -> PostAuthor? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id, handle, name FROM accounts WHERE id = ? AND state IN ('active', 'suspended')"),
                arguments: [account]
            ).map(PostAuthor.init)
        }
    }

    /// Runs a transaction about items that may be refused; then nothing of it has happened.
    func refusing<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(ItemRefusal) -> T {
        do { return try await database.write(body) } catch {
            throw (error as? ItemRefusal) ?? .library(libraryError(error))
        }
    }
}

extension HubLibrary {
    /// How many end in one transaction, so that others get their turn.
    private static let sweptAtOnce = 200

    /// Ends the open ones whose time is over, but not those that a case is about.
    ///
    /// - Returns: how many.
    func sweepItems(at instant: Date) async throws(LibraryError) -> Int {
        let limit = Self.milliseconds(instant)
        var all = 0
        while true {
            let many = try await write { database in
                try database.execute(
                    sql: """
                        UPDATE items SET state = 'expired', ended = ?, changed = ?, version = version + 1
                        WHERE state = 'open' AND sequence IN (
                            SELECT sequence FROM items
                            WHERE state = 'open' AND expires IS NOT NULL AND expires <= ? AND frozen = 0
                            ORDER BY expires LIMIT \(Self.sweptAtOnce))
                        """, arguments: [limit, limit, limit])
                return database.changesCount
            }
            all += many
            if many < Self.sweptAtOnce { return all }
        }
    }
}
