public import ChirpJournal
public import ChirpNetworks

/// What posting and reading have cost, in the journal.
public struct JournalLedger: SpendingLedger {
    private let journal: Journal

    public init(_ journal: Journal) { self.journal = journal }

    public func spent(on network: String, month: String) async throws(NetworkError) -> Int64 {
        do throws(JournalError) { return try await journal.spent(on: network, month: month) } catch {
            throw failure(error)
        }
    }

    public func reserve(
        _ key: Draft.Key, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(NetworkError) -> Bool {
        do throws(JournalError) {
            return try await journal.spend(key.text, on: network, month: month, amount: amount, limit: limit)
        } catch {
            throw failure(error)
        }
    }

    public func add(_ items: [String], price: Int64, on network: String, day: String) async throws(NetworkError) {
        do throws(JournalError) {
            try await journal.spendOnReading(items, price: price, on: network, day: day)
        } catch {
            throw failure(error)
        }
    }

    public func read(_ prefix: String, on network: String, day: String) async throws(NetworkError) -> Int64 {
        do throws(JournalError) {
            return try await journal.spentOnReading(prefix, on: network, day: day)
        } catch {
            throw failure(error)
        }
    }

    public func release(_ key: Draft.Key) async throws(NetworkError) {
        do throws(JournalError) { try await journal.unspend(key.text) } catch { throw failure(error) }
    }

    private func failure(_ error: JournalError) -> NetworkError {
        .inputOutput(path: journal.path, reason: error.whatHappened)
    }
}
