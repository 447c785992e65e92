internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads on which tasks may wait for a disk, so that what runs there reads a database at once.
///
/// Elsewhere each read changes to a thread of the database and back, since the few threads that all tasks share must not wait: a page that
/// reads a dozen times spent a fifth of its time on waking threads. One is made when there is something to do and none is free; they end when
/// nobody has this any more. They are not Dispatch's, of whose there are 255 for a whole process, databases' among them.
package final class DatabaseThreads: TaskExecutor {
    private let work: Work

    /// - Parameter most: how many there are at most, 1 or more.
    package init(most: Int) { work = Work(most: most) }

    deinit { work.end() }

    package func enqueue(_ job: consuming ExecutorJob) { work.add(UnownedJob(job), asUnownedTaskExecutor()) }

    /// Whether the task that asks runs on them.
    package var isCurrent: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor } == asUnownedTaskExecutor()
    }
}

/// What is to be done next, in the order in which it came, and who does it.
private final class Work: Sendable {
    private struct Entry {
        let job: UnownedJob
        let executor: UnownedTaskExecutor

        func run() { job.runSynchronously(on: executor) }
    }

    private struct State {
        /// From `first` on; what stands before is done.
        var entries: [Entry] = []
        var first = 0
        var threads = 0
        /// Threads that wait, without those that have been woken.
        var idle = 0
        var isOver = false

        mutating func take() -> Entry? {
            guard first < entries.count else { return nil }
            defer {
                first += 1
                // Seldom, so that it costs nothing, and often enough that no room is kept for what is done.
                if first == entries.count || first == 1000 {
                    entries.removeFirst(first)
                    first = 0
                }
            }
            return entries[first]
        }
    }

    private enum Step {
        case run(Entry)
        case wait, end
    }

    private let most: Int
    private let state = Mutex(State())
    private let waiting = DispatchSemaphore(value: 0)

    init(most: Int) { self.most = most }

    func add(_ job: UnownedJob, _ executor: UnownedTaskExecutor) {
        let (wakes, starts) = state.withLock { state in
            state.entries.append(Entry(job: job, executor: executor))
            if state.idle > 0 {
                state.idle -= 1
                return (true, false)
            }
            guard state.threads < most else { return (false, false) }
            state.threads += 1
            return (false, true)
        }
        if wakes { waiting.signal() }
        if starts, !start() { startLater() }
    }

    func end() {
        let idle = state.withLock { state in
            state.isOver = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { waiting.signal() }
    }

    private func start() -> Bool {
        let own = Unmanaged.passRetained(self)
        var thread: pthread_t = 0
        guard pthread_create(&thread, nil, runWork, own.toOpaque()) == 0 else {
            own.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// The machine has no thread to give: what waits is done by those there are, or by one of Dispatch's.
    private func startLater() {
        let isAlone = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        guard isAlone else { return }
        DispatchQueue.global().async { [self] in
            while let entry = state.withLock({ $0.take() }) { entry.run() }
        }
    }

    fileprivate func run() {
        while true {
            let step = state.withLock { state -> Step in
                if let entry = state.take() { return .run(entry) }
                if state.isOver { return .end }
                state.idle += 1
                return .wait
            }
            switch step {
            case .run(let entry): entry.run()
            case .wait: waiting.wait()
            case .end: return
            }
        }
    }
}

private nonisolated func runWork(_ own: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let own else { return nil }
    Unmanaged<Work>.fromOpaque(own).takeRetainedValue().run()
    return nil
}
