internal import HTTPTypes
internal import Synchronization

/// How many bytes of requests may lie here at once, for all of a server and for each who sends them.
///
/// A limit on one body bounds nothing by itself: one address may hold 64 connections, each with 100 requests of HTTP/2. So whoever reads a body
/// charges it here as it comes, whatever connection or stream it comes on, and gives all of it back at once when the request is answered.
package final class ByteBudget: Sendable {
    /// What one request has been charged; given back with the last reference.
    package final class Lease: Sendable {
        private let budget: ByteBudget
        private let holder: AddressShares.Holder
        private let charged = Mutex(0)

        fileprivate init(_ budget: ByteBudget, _ holder: AddressShares.Holder) {
            (self.budget, self.holder) = (budget, holder)
        }

        deinit { budget.release(charged.withLock { $0 }, holder) }

        /// Charges more bytes.
        ///
        /// - Parameter count: not negative.
        /// - Throws: ``Problem``: 429 when its holder has as much as one may, 503 when all have. Then nothing was charged.
        package func charge(_ count: Int) throws(Problem) {
            try budget.acquire(count, holder)
            charged.withLock { $0 += count }
        }
    }

    private struct Held {
        var total = 0
        var holders: [AddressShares.Holder: Int] = [:]
    }

    private let total: Int
    private let perHolder: Int
    private let held = Mutex(Held())

    /// - Parameters:
    ///   - total: bytes of all requests together.
    ///   - perHolder: bytes of all requests of one address, at most `total`.
    package init(total: Int, perHolder: Int) { (self.total, self.perHolder) = (total, perHolder) }

    /// Bytes that lie here now.
    package var bytes: Int { held.withLock { $0.total } }

    package func lease(for holder: AddressShares.Holder) -> Lease { Lease(self, holder) }

    private func acquire(_ count: Int, _ holder: AddressShares.Holder) throws(Problem) {
        enum Verdict { case enough, holderHasAll, allIsHeld }
        let verdict = held.withLock { held -> Verdict in
            let own = held.holders[holder, default: 0]
            // Subtraction: both sides are within the limits, so nothing can overflow.
            guard count <= perHolder - own else { return .holderHasAll }
            guard count <= total - held.total else { return .allIsHeld }
            held.total += count
            held.holders[holder] = own + count
            return .enough
        }
        switch verdict {
        case .enough: return
        case .holderHasAll:
            throw Problem(
                .tooManyRequests, "too-much-at-once", "Too much is being sent from this address at once",
                detail: "Send it again when what is on its way has arrived", retryAfter: 5)
        case .allIsHeld:
            throw Problem(
                .serviceUnavailable, "busy", "Too much is being sent at the moment",
                detail: "Send it again in some seconds", retryAfter: 5)
        }
    }

    private func release(_ count: Int, _ holder: AddressShares.Holder) {
        guard count > 0 else { return }
        held.withLock { held in
            held.total -= count
            let left = held.holders[holder, default: 0] - count
            held.holders[holder] = left > 0 ? left : nil
        }
    }
}
