/// What is told beside a feed, each to one person: it has no place there, and is not told again to who comes back.
package struct FeedAsides: Sendable {
    /// What was found behind a place in an order of their own.
    package struct Found: Sendable {
        let events: [FeedEvent]
        /// Up to where was looked.
        let end: Int64
        /// There is more behind that.
        let isMore: Bool

        package init(_ events: [FeedEvent], end: Int64, isMore: Bool) {
            (self.events, self.end, self.isMore) = (events, end, isMore)
        }
    }

    let last: @Sendable () async throws -> Int64
    let events: @Sendable (_ after: Int64, _ listening: () -> Set<String>) async throws -> Found

    /// - Parameters:
    ///   - last: the end of their order.
    ///   - events: those behind a place, for the accounts that listen; whose these are is asked only when something is there.
    package init(
        last: @escaping @Sendable () async throws -> Int64,
        events: @escaping @Sendable (_ after: Int64, _ listening: () -> Set<String>) async throws -> Found
    ) {
        (self.last, self.events) = (last, events)
    }
}
