internal import Dispatch

/// Runs a blocking job off the cooperative pool and returns what it returns.
///
/// The job stays a task: `Task.isCancelled`, priority and the error type survive. Every call has a serial queue of its
/// own, because Dispatch widens shared queues only slowly when their jobs block: sixteen 200 ms jobs on two cores took
/// 0.2 s with a queue each and 1.0 to 1.4 s on a shared one. A hop costs about 12 microseconds, so: per job, never per block.
public func offPool<T: Sendable, F: Error>(
    _ body: @Sendable () throws(F) -> T
) async throws(F) -> T {
    let executor = OwnQueueExecutor()
    let result: Result<T, F> = await withTaskExecutorPreference(executor) { await runHere(body) }
    return try result.get()
}

@concurrent
private func runHere<T: Sendable, F: Error>(_ body: @Sendable () throws(F) -> T) async -> Result<T, F> {
    do { return .success(try body()) } catch { return .failure(error) }
}

/// A task executor over one serial queue.
private final class OwnQueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "chirp.job")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
