internal import ChirpCore
internal import Synchronization

/// Lets a few in at once and a few more wait; who would come on top of these is sent away.
final class FetchGate: Sendable {
    private let places: AsyncSemaphore
    private let most: Int
    private let inside = Mutex(0)

    /// - Parameters:
    ///   - width: how many at once.
    ///   - queue: how many wait.
    init(width: Int = 8, queue: Int = 64) {
        places = AsyncSemaphore(width: width)
        most = width + queue
    }

    /// - Returns: false for who is sent away, or was cancelled; then ``leave()`` must not be called.
    func enter() async -> Bool {
        let isLet = inside.withLock { inside in
            guard inside < most else { return false }
            inside += 1
            return true
        }
        guard isLet else { return false }
        guard await places.enter() else {
            inside.withLock { $0 -= 1 }
            return false
        }
        return true
    }

    func leave() {
        inside.withLock { $0 -= 1 }
        places.leave()
    }
}
