package import ChirpAudio

/// Threads that run short work items in any order and, when no item waits, long work that somebody provides.
///
/// Analysis measures and hashes on one; an encoder and the check of its result share one. What waits is bounded: when too
/// many items wait, the thread that submits runs the oldest itself. So one long item holds nothing up, and without threads
/// every item runs where it is submitted.
///
/// Nothing that runs in the pool may hold the pool, which would then join its own threads.
package final class WorkerPool: Sendable {
    /// Runs on any thread, and asks now and then whether it is still wanted.
    package typealias WorkItem = @Sendable (_ isUnwanted: () -> Bool) -> Void
    /// The next piece of long work for an idle thread; nil when there is none now.
    ///
    /// Asked under the pool's lock, so it must not call the pool. It may take a lock of its own: the order is the pool's first.
    typealias Provider = @Sendable () -> (@Sendable () -> Void)?

    private struct State {
        var items: [WorkItem] = []
        var underWay = 0
        var provider: Provider?
        var isOver = false
    }

    private enum Work {
        case item(WorkItem)
        case long(@Sendable () -> Void)
    }

    /// How many threads there are; 0 means that everything runs on the caller's.
    package let threads: Int
    private let mostWaiting: Int
    private let monitor: Monitor<State>
    private let running: ScopedThreads

    /// - Parameters:
    ///   - threads: beside the caller's; 0 or more.
    ///   - mostWaiting: items that may wait before the caller runs one; by default as many as there are threads.
    package init(threads: Int, mostWaiting: Int? = nil) throws(AudioError) {
        let monitor = Monitor(State())
        self.threads = threads
        self.mostWaiting = threads == 0 ? 0 : mostWaiting ?? threads
        self.monitor = monitor
        running = try ScopedThreads(threads, stop: { Self.stop(monitor) }) { Self.run(monitor) }
    }

    // What runs learns that it is not wanted any more; what waits is dropped. The threads are joined after that.
    deinit { Self.stop(monitor) }

    /// Hands an item to the threads, or runs the one that has waited longest.
    package func submit(_ item: @escaping WorkItem) {
        let most = mostWaiting
        let oldest = monitor.access { state in
            state.items.append(item)
            return state.items.count > most ? state.items.removeFirst() : nil
        }
        oldest? { Task.isCancelled }
    }

    /// Runs the items that still wait, then waits for those that are under way; long work goes on.
    package func finish() {
        while let item = monitor.access(isChange: false, { $0.items.isEmpty ? nil : $0.items.removeFirst() }) {
            item { Task.isCancelled }
        }
        monitor.wait(isChange: false) { $0.underWay == 0 ? () : nil }
    }

    /// Lets idle threads ask for long work; nil ends that. One provider at a time.
    func provide(_ provider: Provider?) {
        let former = monitor.access { state in
            defer { state.provider = provider }
            return state.provider
        }
        precondition(former == nil || provider == nil)
    }

    /// Lets idle threads ask the provider again. It is called after the provider's answer may have changed, and never with
    /// the provider's lock held.
    func wake() { monitor.access { _ in } }

    private static func stop(_ monitor: Monitor<State>) {
        let rest = monitor.access { state in
            state.isOver = true
            defer { (state.items, state.provider) = ([], nil) }
            return (state.items, state.provider)
        }
        // What they hold is given back here, without the lock.
        _ = rest
    }

    private static func run(_ monitor: Monitor<State>) {
        while let work = next(monitor) {
            switch work {
            case .item(let item):
                item { monitor.access(isChange: false) { $0.isOver } }
                monitor.access { $0.underWay -= 1 }
            case .long(let work): work()
            }
        }
    }

    /// The next thing to run, waiting for it: items first, so that what is known early is checked early and memory is
    /// given back. Nil when the pool is over.
    private static func next(_ monitor: Monitor<State>) -> Work? {
        monitor.wait(isChange: false) { state -> Work?? in
            if state.isOver { return .some(nil) }
            if !state.items.isEmpty {
                state.underWay += 1
                return .item(state.items.removeFirst())
            }
            return state.provider?().map { .long($0) }
        }
    }
}
