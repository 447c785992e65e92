internal import GRDB

extension Journal {
    /// What a month has cost at a network.
    ///
    /// - Parameter month: such as `2026-11`.
    /// - Returns: millionths of a US dollar.
    public func spent(on network: String, month: String) async throws(JournalError) -> Int64 {
        try await read { try Self.spent(on: network, month: month, in: $0) }
    }

    /// Writes a cost down, unless the month would then cost more than the limit. One transaction, so that of two processes that
    /// both want the last of the budget one gets it. A key that is there already is not counted again.
    ///
    /// - Parameters:
    ///   - key: names what the money is for.
    ///   - amount: millionths of a US dollar.
    ///   - limit: likewise; nil for none.
    /// - Returns: whether it is written.
    public func spend(
        _ key: String, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(JournalError) -> Bool {
        try await write { database in
            if try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM spending WHERE key = ?)", arguments: [key])
                == true
            {
                return true
            }
            if let limit, try Self.spent(on: network, month: month, in: database) + amount > limit { return false }
            try database.execute(
                sql: "INSERT INTO spending (key, network, month, amount) VALUES (?, ?, ?, ?)",
                arguments: [key, network, month, amount])
            return true
        }
    }

    /// Adds to a cost, or begins it.
    ///
    /// - Parameters:
    ///   - key: names what the money is for, as for ``spend(_:on:month:amount:limit:)``.
    ///   - amount: millionths of a US dollar.
    public func addSpending(
        _ amount: Int64, to key: String, on network: String, month: String
    ) async throws(JournalError) {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO spending (key, network, month, amount) VALUES (?, ?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET amount = amount + excluded.amount
                    """, arguments: [key, network, month, amount])
        }
    }

    /// Takes a cost back; nothing happens when there is none.
    public func unspend(_ key: String) async throws(JournalError) {
        try await write { try $0.execute(sql: "DELETE FROM spending WHERE key = ?", arguments: [key]) }
    }

    private static func spent(on network: String, month: String, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT COALESCE(SUM(amount), 0) FROM spending WHERE network = ? AND month = ?",
            arguments: [network, month]) ?? 0
    }
}
