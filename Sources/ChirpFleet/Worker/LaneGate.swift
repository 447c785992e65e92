internal import Synchronization

/// Lets the lanes of a worker work side by side, or one of them alone.
///
/// A job that may have killed workers is tried alone: if the worker dies then, no other job was begun. Others that are held
/// meanwhile wait, and are not to blame.
final class LaneGate: Sendable {
    private struct State {
        var working = 0
        /// Somebody works alone, or waits to.
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Rare, and so short that nobody notices beside the encoding of a clip.
    private static let pause = Duration.milliseconds(10)

    /// Runs a job beside others, when nobody is alone. Blocking.
    func together<T>(_ body: () throws(FleetError) -> T) throws(FleetError) -> T {
        while !enter() { try Wait.nap(Self.pause) }
        defer { state.withLock { $0.working -= 1 } }
        return try body()
    }

    /// Runs a job when all others have ended, and holds up new ones. Blocking.
    func alone<T>(_ body: () throws(FleetError) -> T) throws(FleetError) -> T {
        while !close() { try Wait.nap(Self.pause) }
        defer { state.withLock { $0.isClosed = false } }
        while state.withLock({ $0.working }) > 0 { try Wait.nap(Self.pause) }
        return try body()
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.working += 1
            return true
        }
    }

    private func close() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            return true
        }
    }
}
