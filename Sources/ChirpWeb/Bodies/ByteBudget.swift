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
        private let share: Share
        private let charged = Mutex(0)

        fileprivate init(_ budget: ByteBudget, _ share: Share) { (self.budget, self.share) = (budget, share) }

        deinit { budget.release(charged.withLock { $0 }, share) }

        /// Charges more bytes.
        ///
        /// - Parameter count: not negative.
        /// - Throws: ``Problem``: 429 when its holder has as much as one may, 503 when all have. Then nothing was charged.
        package func charge(_ count: Int) throws(Problem) {
            try budget.acquire(count, share, isSmall: charged.withLock { count <= ByteBudget.small - $0 })
            charged.withLock { $0 += count }
        }
    }

    /// Who signed in and who did not have shares of their own at one address.
    fileprivate struct Share: Hashable {
        let holder: AddressShares.Holder
        let isStranger: Bool
    }

    private struct Held {
        var total = 0
        var shares: [Share: Int] = [:]
    }

    /// What is no larger finds room that others have not: a form in which a person signs in.
    private static let small = 8 << 10

    private let total: Int
    private let perHolder: Int
    private let perStranger: Int
    private let keptForSmall: Int
    private let held = Mutex(Held())

    /// - Parameters:
    ///   - total: bytes of all requests together.
    ///   - perHolder: bytes of all requests of one address, at most `total`.
    ///   - perStranger: bytes of those of them that come from nobody who signed in, at most `total`; nil: `perHolder`.
    ///   - keptForSmall: bytes of `total` that only requests of 8 KiB and less get.
    package init(total: Int, perHolder: Int, perStranger: Int? = nil, keptForSmall: Int = 0) {
        (self.total, self.perHolder) = (total, perHolder)
        (self.perStranger, self.keptForSmall) = (perStranger ?? perHolder, keptForSmall)
    }

    /// Bytes that lie here now.
    package var bytes: Int { held.withLock { $0.total } }

    /// - Parameter isStranger: nobody has signed in.
    package func lease(for holder: AddressShares.Holder, isStranger: Bool = false) -> Lease {
        Lease(self, Share(holder: holder, isStranger: isStranger))
    }

    private func acquire(_ count: Int, _ share: Share, isSmall: Bool) throws(Problem) {
        enum Verdict { case enough, holderHasAll, allIsHeld }
        let verdict = held.withLock { held -> Verdict in
            let own = held.shares[share, default: 0]
            // Subtraction: both sides are within the limits, so nothing can overflow.
            guard count <= (share.isStranger ? perStranger : perHolder) - own else { return .holderHasAll }
            guard count <= total - (isSmall ? 0 : keptForSmall) - held.total else { return .allIsHeld }
            held.total += count
            held.shares[share] = own + count
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

    private func release(_ count: Int, _ share: Share) {
        guard count > 0 else { return }
        held.withLock { held in
            held.total -= count
            let left = held.shares[share, default: 0] - count
            held.shares[share] = left > 0 ? left : nil
        }
    }
}
