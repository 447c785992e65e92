internal import ChirpDatabase
internal import GRDB

extension Journal {
    private static let spending = SpendingTable("spending")

    /// What a month has cost at a network.
    ///
    /// - Parameter month: such as `2026-11`.
    /// - Returns: millionths of a US dollar.
    public func spent(on network: String, month: String) async throws(JournalError) -> Int64 {
        try await read { try Self.spending.spent(on: network, month: month, in: $0) }
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
        try await write {
            try Self.spending.spend(key, on: network, month: month, amount: amount, limit: limit, in: $0)
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
        try await write { try Self.spending.spendOnReading(items, price: price, on: network, day: day, in: $0) }
    }

    /// What things whose names begin so have cost on a day.
    public func spentOnReading(
        _ prefix: String, on network: String, day: String
    ) async throws(JournalError) -> Int64 {
        try await read { try Self.spending.spentOnReading(prefix, on: network, day: day, in: $0) }
    }

    /// Takes a cost back; nothing happens when there is none.
    public func unspend(_ key: String) async throws(JournalError) {
        try await write { try Self.spending.unspend(key, in: $0) }
    }
}
