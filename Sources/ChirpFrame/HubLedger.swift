internal import ChirpCommunity
internal import ChirpNetworks

/// What reading for frames has cost, in the hub's tables. Frames post nothing, so all that is reserved is set aside for reading.
struct HubLedger: SpendingLedger {
    let library: HubLibrary

    func spent(on network: String, month: String) async throws(NetworkError) -> Int64 {
        do throws(LibraryError) { return try await library.spent(on: network, month: month) } catch {
            throw Self.failure(error)
        }
    }

    func reserve(
        _ key: Draft.Key, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(NetworkError) -> Bool {
        do throws(LibraryError) {
            return try await library.hold(key.text, on: network, month: month, amount: amount, limit: limit)
        } catch { throw Self.failure(error) }
    }

    func add(_ items: [String], price: Int64, on network: String, day: String) async throws(NetworkError) {
        do throws(LibraryError) { try await library.spend(items, price: price, on: network, day: day) } catch {
            throw Self.failure(error)
        }
    }

    func read(_ prefix: String, on network: String, day: String) async throws(NetworkError) -> Int64 {
        do throws(LibraryError) { return try await library.spent(onReading: prefix, on: network, day: day) } catch {
            throw Self.failure(error)
        }
    }

    func release(_ key: Draft.Key) async throws(NetworkError) {
        do throws(LibraryError) { try await library.release(key.text) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: LibraryError) -> NetworkError {
        .inputOutput(path: "hub.sqlite", reason: error.whatHappened)
    }
}
