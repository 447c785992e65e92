internal import Synchronization

/// What a board does after somebody has changed something, and nobody waits for: it is done by a service of the hub after the answer, again for
/// all that came meanwhile. What there is to do stands in the library, so a hub that dies leaves it to the next one.
package final class Errand: Sendable {
    private let work: @Sendable () async -> Void
    /// Wakes who does it; nil while nobody does.
    private let bell = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// - Parameter work: does all that there is to do.
    package init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

    /// There is something to do. Without a service, as in a process that does not serve, it is done before this returns.
    package func arise() async {
        let isHeard = bell.withLock { bell in
            bell?.yield()
            return bell != nil
        }
        if !isHeard { await work() }
    }

    /// Does what there is and what comes, until the task is cancelled. One at a time.
    package func serve() async {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.bell.withLock { $0 = bell }
        // A hub before this one may have left something.
        bell.yield()
        defer { self.bell.withLock { $0 = nil } }
        for await _ in rings {
            guard !Task.isCancelled else { return }
            await work()
        }
    }
}
