internal import ChirpDatabase

extension HubLibrary {
    /// The most processor time that a question has which a request asks, in ms. A page of a board with a million items takes some ten.
    private static let mostOfQuestion = 2000

    /// Answers a request: a question that takes too long ends, and is ``LibraryError/busy(path:)``. What reads long on purpose asks
    /// outside of this.
    package static func answering<T>(_ body: nonisolated(nonsending) () async throws -> T) async rethrows -> T {
        try await ReadingLimit.$processorTime.withValue(mostOfQuestion, operation: body)
    }
}
