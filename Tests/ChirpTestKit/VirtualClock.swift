public import ChirpHTTP
internal import Foundation
internal import Synchronization

/// A clock that tests turn: whoever sleeps wakes when it is turned beyond their time.
public final class VirtualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let until: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Duration.zero
        var next = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        /// Told whenever somebody goes to sleep or is woken before their time.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Duration { state.withLock { $0.now } }
    /// When the next sleeper wakes.
    public var deadline: Duration? { state.withLock { $0.sleepers.map(\.until).min() } }

    /// Waits until the next sleeper wakes at a time, and for nothing else: a loop that looks would take the processor from whoever is to go
    /// to sleep.
    ///
    /// - Returns: false when the task is cancelled before.
    public func sleeper(until time: Duration) async -> Bool {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = change
            return state.next
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
        if deadline == time { return true }
        for await _ in changes where deadline == time { return true }
        return false
    }

    private func tell() {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield() }
    }

    /// Returns early when the task is cancelled.
    public func sleep(_ time: Duration) async {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wakes = state.withLock { state -> Bool in
                    if time <= .zero || state.cancelled.remove(id) != nil { return true }
                    state.sleepers.append(Sleeper(id: id, until: state.now + time, continuation: continuation))
                    return false
                }
                if wakes { continuation.resume() } else { tell() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume()
            tell()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    /// Turns it to a time and wakes everybody who is due, the earliest first.
    public func turn(to time: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = max(state.now, time)
            let now = state.now
            let due = state.sleepers.filter { $0.until <= now }.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
            state.sleepers.removeAll { $0.until <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

extension Sleeper {
    /// Pauses of a clock that tests turn, each as long as was asked for; the calendar stands still.
    public init(_ clock: VirtualClock) {
        self.init(
            now: { Date(timeIntervalSince1970: 0) },
            wait: { time in
                await clock.sleep(time)
                return !Task.isCancelled
            }, jitter: { 0.5 })
    }
}
