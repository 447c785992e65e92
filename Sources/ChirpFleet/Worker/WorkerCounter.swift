internal import Synchronization

/// Counts what the lanes of a worker do. Called from any thread.
final class WorkerCounter: Sendable {
    private let figures = Mutex(WorkerFigures())
    private let begin = ContinuousClock.now

    var current: WorkerFigures {
        var figures = figures.withLock { $0 }
        figures.seconds = (ContinuousClock.now - begin) / .seconds(1)
        return figures
    }

    func count(_ body: (inout WorkerFigures) -> Void) { figures.withLock { body(&$0) } }
}
