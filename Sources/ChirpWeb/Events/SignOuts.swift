/// How often something has ended that let people in: a session, a token, an account.
///
/// Whoever listens was let in once. Before something is written to them it is asked whether that holds still, but only where this count has
/// changed since: one look serves all who listen, where asking each of them would cost as many as there are.
package actor SignOuts {
    private let read: @Sendable () async throws -> Int64
    private var looking: Task<Int64?, Never>?

    /// - Parameter read: the count, which only grows.
    package init(_ read: @escaping @Sendable () async throws -> Int64) { self.read = read }

    /// The count now; those who ask at once share one look. Nil: it cannot be found out, and everybody has to be asked.
    func count() async -> Int64? {
        if let looking { return await looking.value }
        let look = Task { [read] in try? await read() }
        looking = look
        let found = await look.value
        looking = nil
        return found
    }
}
