/// What posting and reading have cost, written down where it survives, so that a budget holds over runs and processes.
///
/// Amounts are millionths of a US dollar; a month is `2026-11`, by UTC.
public protocol SpendingLedger: Sendable {
    /// What a month has cost at a network, posts and reading.
    func spent(on network: String, month: String) async throws(NetworkError) -> Int64

    /// Writes a post's cost down before it is sent. A key that is there already is not counted again.
    ///
    /// - Parameter limit: nothing is written when the month would cost more; nil for no limit.
    /// - Returns: whether it is written.
    func reserve(
        _ key: Draft.Key, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(NetworkError) -> Bool

    /// Writes down what has been read, which is known only afterwards. What is there of the same day is not counted again.
    ///
    /// - Parameters:
    ///   - items: names of what was read.
    ///   - price: of each.
    ///   - day: such as `2026-11-21`, by UTC.
    func add(_ items: [String], price: Int64, on network: String, day: String) async throws(NetworkError)

    /// What things whose names begin so have cost on a day.
    func read(_ prefix: String, on network: String, day: String) async throws(NetworkError) -> Int64

    /// Takes a cost back: the post was certainly not made.
    func release(_ key: Draft.Key) async throws(NetworkError)
}
