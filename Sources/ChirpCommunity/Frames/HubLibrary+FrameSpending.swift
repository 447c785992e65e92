internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// What reading for frames costs at a network that takes money. Amounts are millionths of a US dollar; a month is `2026-11`, by UTC.
extension HubLibrary {
    private static let frameSpending = SpendingTable("frameSpending")

    /// So long after it was set aside money counts that nobody has given back, in seconds: longer than any request takes.
    private static let longestHold = 900.0

    /// Money that was set aside before this is spent no more, in ms.
    private var oldestHold: Int64 { Self.milliseconds(now().addingTimeInterval(-Self.longestHold)) }

    /// What a month has cost, with what is set aside for questions that are not answered yet.
    package func spent(on network: String, month: String) async throws(LibraryError) -> Int64 {
        let oldest = oldestHold
        return try await read { database in
            let over = try Int64.fetchOne(
                database.cachedStatement(
                    sql:
                        "SELECT COALESCE(SUM(amount), 0) FROM frameSpending WHERE network = ? AND month = ? AND held < ?"
                ), arguments: [network, month, oldest])
            return try Self.frameSpending.spent(on: network, month: month, in: database) - (over ?? 0)
        }
    }

    /// Sets money aside, unless the month would then cost more than the limit. One transaction, so that of two frames that both want the
    /// last of it one gets it.
    ///
    /// - Returns: whether it is set aside.
    package func hold(
        _ key: String, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(LibraryError) -> Bool {
        let (now, oldest) = (Self.milliseconds(now()), oldestHold)
        return try await write { database in
            try database.cachedStatement(sql: "DELETE FROM frameSpending WHERE held < ?").execute(arguments: [oldest])
            guard
                try Self.frameSpending.spend(
                    key, on: network, month: month, amount: amount, limit: limit, in: database)
            else { return false }
            try database.cachedStatement(sql: "UPDATE frameSpending SET held = ? WHERE key = ?").execute(arguments: [
                now, key,
            ])
            return true
        }
    }

    /// Gives back what was set aside.
    package func release(_ key: String) async throws(LibraryError) {
        try await write { try Self.frameSpending.unspend(key, in: $0) }
    }

    /// Writes down what was read, each thing once a day, because that is how it is charged. Things themselves are forgotten when their
    /// day is over: then only the sum of the month is kept.
    ///
    /// - Parameter day: such as `2026-11-21`.
    package func spend(
        _ items: [String], price: Int64, on network: String, day: String
    ) async throws(LibraryError) {
        try await write {
            try Self.frameSpending.spendOnReading(items, price: price, on: network, day: day, in: $0)
        }
    }

    /// What things whose names begin so have cost on a day.
    package func spent(onReading prefix: String, on network: String, day: String) async throws(LibraryError) -> Int64 {
        try await read { try Self.frameSpending.spentOnReading(prefix, on: network, day: day, in: $0) }
    }
}
