package import ChirpAccounts
internal import Synchronization

/// Lets sessions last on after visits, beside the answers: a page is read without waiting for whoever writes.
package final class SessionVisits: Sendable {
    private let accounts: Accounts
    private let most: Int
    /// By the digests of their tokens.
    private let waiting = Mutex<Set<[UInt8]>>([])

    /// - Parameter most: so many are written or wait for it at once; what comes more is left to the next visit.
    package init(_ accounts: Accounts, most: Int = 64) { (self.accounts, self.most) = (accounts, most) }

    /// How many are being written.
    package var count: Int { waiting.withLock { $0.count } }

    /// Somebody has come by. Returns before it is written.
    package func note(_ token: OpaqueToken) async throws(AccountError) {
        guard try await accounts.isVisitDue(token) else { return }
        let digest = token.digest
        guard waiting.withLock({ $0.count < most && $0.insert(digest).inserted }) else { return }
        Task {
            // What cannot be written now, or not before the hub ends, is due at the next visit still.
            try? await accounts.visit(token)
            _ = waiting.withLock { $0.remove(digest) }
        }
    }
}
