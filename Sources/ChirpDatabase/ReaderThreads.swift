internal import Dispatch
package import GRDB
internal import Synchronization

/// Where a database is read: as many threads as it has readers, each of which reads one thing at a time.
///
/// A pool's own asynchronous reading goes from thread to thread five times for each question, which costs as much as a small answer; this goes
/// there and back. Waiting for a reader is done here, never on the threads of all tasks.
package final class ReaderThreads: TaskExecutor {
    private struct Work {
        var idle: [DispatchQueue]
        var waiting: [UnownedJob] = []
    }

    private let work: Mutex<Work>

    /// - Parameters:
    ///   - count: as many as the pool has readers.
    ///   - label: names them in debuggers.
    package init(_ count: Int, label: String) {
        work = Mutex(Work(idle: (0..<count).map { DispatchQueue(label: "\(label).reader.\($0)") }))
    }

    /// Reads as it was at one moment, for as long as ``ReadingLimit`` says.
    package func read<T: Sendable>(
        _ pool: DatabasePool, _ body: @Sendable (Database) throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        return try await withTaskExecutorPreference(self) { try Self.now(pool, body) }
    }

    /// Not as part of an asynchronous function, where `read` is another one.
    private static func now<T>(_ pool: DatabasePool, _ body: (Database) throws -> T) throws -> T {
        try pool.read { try ReadingLimit.during($0, body) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = work.withLock { work -> DispatchQueue? in
            // The one that was at work last: what it read is still near.
            guard let queue = work.idle.popLast() else {
                work.waiting.append(job)
                return nil
            }
            return queue
        }
        queue?.async { self.run(job, on: queue) }
    }

    private func run(_ job: UnownedJob, on queue: DispatchQueue?) {
        var next: UnownedJob? = job
        while let job = next {
            job.runSynchronously(on: asUnownedTaskExecutor())
            next = work.withLock { work in
                guard work.waiting.isEmpty else { return work.waiting.removeFirst() }
                if let queue { work.idle.append(queue) }
                return nil
            }
        }
    }
}
