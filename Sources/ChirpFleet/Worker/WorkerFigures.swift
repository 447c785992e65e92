internal import Synchronization

/// What a worker has done since it began.
public struct WorkerFigures: Hashable, Sendable {
    public var made = 0
    /// Recordings that are none, or cannot be made clips.
    public var failed = 0
    /// Given back, to be tried again.
    public var givenBack = 0
    /// Put aside, after too many tries or since they were no jobs.
    public var buried = 0
    public var running = 0
    /// Of the recordings that were made clips.
    public var audioSeconds = 0.0
    /// That making took, of all lanes together.
    public var busySeconds = 0.0
    /// Since the worker began.
    public var seconds = 0.0
    /// Jobs that waited when the last one was taken.
    public var waiting = 0
}

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
