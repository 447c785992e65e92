internal import FoundationEssentials
internal import GRDB

/// What reading for frames costs at a network that takes money. Amounts are millionths of a US dollar; a month is `2026-11`, by UTC.
extension HubLibrary {
    /// So long after it was set aside money counts that nobody has given back, in seconds: longer than any request takes.
    private static let longestHold = 900.0

    /// What a month has cost, with what is set aside for questions that are not answered yet.
    package func spent(on network: String, month: String) async throws(LibraryError) -> Int64 {
        let since = Self.milliseconds(now().addingTimeInterval(-Self.longestHold))
        return try await read { try Self.spent(on: network, month: month, since, in: $0) }
    }

    /// Sets money aside, unless the month would then cost more than the limit. One transaction, so that of two frames that both want the
    /// last of it one gets it.
    ///
    /// - Returns: whether it is set aside.
    package func hold(
        _ key: String, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(LibraryError) -> Bool {
        let now = now()
        let since = Self.milliseconds(now.addingTimeInterval(-Self.longestHold))
        return try await write { database in
            try database.execute(sql: "DELETE FROM frameSpending WHERE held < ?", arguments: [since])
            if let limit, try Self.spent(on: network, month: month, since, in: database) + amount > limit {
                return false
            }
            try database.execute(
                sql: """
                    INSERT INTO frameSpending (key, network, month, amount, held) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (key) DO NOTHING
                    """, arguments: [key, network, month, amount, Self.milliseconds(now)])
            return true
        }
    }

    /// Gives back what was set aside.
    package func release(_ key: String) async throws(LibraryError) {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM frameSpending WHERE key = ? AND held IS NOT NULL", arguments: [key])
        }
    }

    /// Writes down what was read, each thing once a day, because that is how it is charged. Things themselves are forgotten when their
    /// day is over: then only the sum of the month is kept.
    ///
    /// - Parameter day: such as `2026-11-21`.
    package func spend(
        _ items: [String], price: Int64, on network: String, day: String
    ) async throws(LibraryError) {
        let today = Self.readings(of: network, on: day)
        try await write { database in
            let isOver =
                "network = ? AND held IS NULL AND substr(key, 1, 5) = 'read-' AND substr(key, 1, length(?)) <> ?"
            let over: StatementArguments = [network, today, today]
            try database.execute(
                sql: """
                    INSERT INTO frameSpending (key, network, month, amount)
                    SELECT 'month-' || network || '-' || month, network, month, SUM(amount) FROM frameSpending
                    WHERE \(isOver) GROUP BY network, month
                    ON CONFLICT (key) DO UPDATE SET amount = amount + excluded.amount
                    """, arguments: over)
            try database.execute(sql: "DELETE FROM frameSpending WHERE \(isOver)", arguments: over)
            for item in items {
                try database.execute(
                    sql: """
                        INSERT INTO frameSpending (key, network, month, amount) VALUES (?, ?, ?, ?)
                        ON CONFLICT (key) DO NOTHING
                        """, arguments: ["\(today)\(item)", network, String(day.prefix(7)), price])
            }
        }
    }

    /// What things whose names begin so have cost on a day.
    package func spent(onReading prefix: String, on network: String, day: String) async throws(LibraryError) -> Int64 {
        let start = Self.readings(of: network, on: day) + prefix
        return try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT COALESCE(SUM(amount), 0) FROM frameSpending WHERE substr(key, 1, length(?)) = ?",
                arguments: [start, start]) ?? 0
        }
    }

    /// What the keys of a day's readings begin with.
    private static func readings(of network: String, on day: String) -> String { "read-\(network)-\(day)-" }

    private static func spent(
        on network: String, month: String, _ since: Int64, in database: Database
    ) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT COALESCE(SUM(amount), 0) FROM frameSpending
                WHERE network = ? AND month = ? AND (held IS NULL OR held >= ?)
                """, arguments: [network, month, since]) ?? 0
    }
}
