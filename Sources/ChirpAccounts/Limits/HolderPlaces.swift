internal import Synchronization

/// Places that each holder has a few of at once, so that one who comes with many takes none of the others'.
package final class HolderPlaces: Sendable {
    private let most: Int
    private let held = Mutex<[LimitHolder: Int]>([:])

    /// - Parameter most: of one holder, 1 or more.
    package init(most: Int) {
        precondition(most >= 1)
        self.most = most
    }

    /// Takes a place.
    ///
    /// - Returns: false when the holder has all of its own; then ``leave(_:)`` must not be called.
    package func enter(_ holder: LimitHolder) -> Bool {
        held.withLock { held in
            guard held[holder, default: 0] < most else { return false }
            held[holder, default: 0] += 1
            return true
        }
    }

    /// Gives a place back. Of a holder without one nothing is kept.
    package func leave(_ holder: LimitHolder) {
        held.withLock { held in
            let left = held[holder, default: 0] - 1
            held[holder] = left > 0 ? left : nil
        }
    }
}
