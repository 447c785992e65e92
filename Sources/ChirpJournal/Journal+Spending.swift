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

    /// Writes down what has been read, each thing once a day, because that is how services charge.
    ///
    /// The things themselves are forgotten when their day is over: then only the sum of the month is kept (CH-14).
    ///
    /// - Parameters:
    ///   - items: names of what was read.
    ///   - price: of each, in millionths of a US dollar.
    ///   - day: such as `2026-11-21`.
    public func spendOnReading(
        _ items: [String], price: Int64, on network: String, day: String
    ) async throws(JournalError) {
        let (all, today) = ("read-\(network)-", Self.readings(of: network, on: day))
        try await write { database in
            let isOver = "substr(key, 1, length(?)) = ? AND substr(key, 1, length(?)) <> ?"
            let over: StatementArguments = [all, all, today, today]
            try database.execute(
                sql: """
                    INSERT INTO spending (key, network, month, amount)
                    SELECT 'reading-' || network || '-' || month, network, month, SUM(amount) FROM spending
                    WHERE \(isOver) GROUP BY network, month
                    ON CONFLICT (key) DO UPDATE SET amount = amount + excluded.amount
                    """, arguments: over)
            try database.execute(sql: "DELETE FROM spending WHERE \(isOver)", arguments: over)
            for item in items {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO spending (key, network, month, amount) VALUES (?, ?, ?, ?)",
                    arguments: ["\(today)\(item)", network, String(day.prefix(7)), price])
            }
        }
    }

    /// What things whose names begin so have cost on a day.
    public func spentOnReading(
        _ prefix: String, on network: String, day: String
    ) async throws(JournalError) -> Int64 {
        let start = Self.readings(of: network, on: day) + prefix
        return try await read { database in
            try Int64.fetchOne(
                database, sql: "SELECT COALESCE(SUM(amount), 0) FROM spending WHERE substr(key, 1, length(?)) = ?",
                arguments: [start, start]) ?? 0
        }
    }

    /// What the keys of a day's readings begin with.
    private static func readings(of network: String, on day: String) -> String { "read-\(network)-\(day)-" }

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
