package import GRDB

/// A table of what services have cost, in millionths of a US dollar. A month is `2026-11` and a day `2026-11-21`, by UTC.
///
/// It has the columns `key` (unique), `network`, `month` and `amount`; a module may add others that can be null. Keys that begin with
/// `read-` and `reading-` and the name of a network are its own. Each function belongs in the caller's transaction.
package struct SpendingTable: Sendable {
    private let name: String

    /// - Parameter name: stands in the SQL as it is, so it never comes from outside.
    package init(_ name: String) { self.name = name }

    /// What a month has cost at a network, with what was put down before its answer came.
    package func spent(on network: String, month: String, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT COALESCE(SUM(amount), 0) FROM \(name) WHERE network = ? AND month = ?"),
            arguments: [network, month]) ?? 0
    }

    /// Writes a cost down, unless the month would then cost more than the limit. A key that is there already is not counted again.
    ///
    /// - Parameters:
    ///   - key: names what the money is for.
    ///   - limit: for the month; nil for none.
    /// - Returns: whether it is written.
    package func spend(
        _ key: String, on network: String, month: String, amount: Int64, limit: Int64?, in database: Database
    ) throws -> Bool {
        let isThere = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(name) WHERE key = ?)"), arguments: [key])
        guard isThere != true else { return true }
        if let limit {
            let (sum, isTooLarge) = try spent(on: network, month: month, in: database).addingReportingOverflow(amount)
            guard !isTooLarge, sum <= limit else { return false }
        }
        try insert(key, on: network, month: month, amount: amount, in: database)
        return true
    }

    /// Takes a cost back; nothing happens when there is none.
    package func unspend(_ key: String, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE key = ?").execute(arguments: [key])
    }

    /// Writes down what has been read, each thing once a day, because that is how services charge.
    ///
    /// The things themselves are forgotten when their day is over: then only the sum of the month is kept (CH-14).
    ///
    /// - Parameters:
    ///   - items: names of what was read.
    ///   - price: of each.
    package func spendOnReading(
        _ items: [String], price: Int64, on network: String, day: String, in database: Database
    ) throws {
        let (all, today) = ("read-\(network)-", Self.readings(of: network, on: day))
        let isOver = "network = ? AND substr(key, 1, length(?)) = ? AND substr(key, 1, length(?)) <> ?"
        let over: StatementArguments = [network, all, all, today, today]
        try database.cachedStatement(
            sql: """
                INSERT INTO \(name) (key, network, month, amount)
                SELECT 'reading-' || network || '-' || month, network, month, SUM(amount) FROM \(name)
                WHERE \(isOver) GROUP BY network, month
                ON CONFLICT (key) DO UPDATE SET amount = amount + excluded.amount
                """
        ).execute(arguments: over)
        try database.cachedStatement(sql: "DELETE FROM \(name) WHERE \(isOver)").execute(arguments: over)
        for item in items {
            try insert("\(today)\(item)", on: network, month: String(day.prefix(7)), amount: price, in: database)
        }
    }

    /// What things whose names begin so have cost on a day.
    package func spentOnReading(
        _ prefix: String, on network: String, day: String, in database: Database
    ) throws -> Int64 {
        let start = Self.readings(of: network, on: day) + prefix
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT COALESCE(SUM(amount), 0) FROM \(name) WHERE substr(key, 1, length(?)) = ?"),
            arguments: [start, start]) ?? 0
    }

    /// What the keys of a day's readings begin with.
    private static func readings(of network: String, on day: String) -> String { "read-\(network)-\(day)-" }

    private func insert(
        _ key: String, on network: String, month: String, amount: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "INSERT INTO \(name) (key, network, month, amount) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
        ).execute(arguments: [key, network, month, amount])
    }
}
