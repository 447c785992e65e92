public import ChirpAudio
public import ChirpClips
public import ChirpJournal
internal import Glibc

/// Everything a batch needs of the outside world. The executable builds live ones, tests build fakes.
public struct BatchPorts: Sendable {
    /// Makes one clip, which is flushed to the disk when it is moved to its place; blocking:
    /// ``BatchClip/draft(_:path:progress:)``, or a fake.
    public var make:
        @Sendable (_ request: ClipRequest, _ path: String, _ progress: @Sendable (ClipProgress) -> Void)
            throws(AudioError) -> BatchClip
    public var journal: Journal
    /// A clock that only goes forward.
    public var uptime: @Sendable () -> Duration = { ContinuousClock.now - Self.start }
    /// The time of day, in nanoseconds since 1970, to compare with times of files; the nearest that fit into 64 bits.
    public var now: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileFacts.nanoseconds(time)
    }
    /// Takes what is told, from any thread, but files in order; false ends the run, since nobody takes it.
    public var report: @Sendable (BatchEvent) -> Bool = { _ in true }
    /// Asked at each fault point; true stops the run there as if the process had died.
    public var fault: @Sendable (FaultPoint) -> Bool = { _ in false }

    /// Carries out the list with the help of others; nil for this machine alone.
    package var crew: (@Sendable (BatchRun) async throws(BatchFailure) -> BatchSummary)?

    private static let start = ContinuousClock.now

    public init(
        make:
            @escaping @Sendable (_ request: ClipRequest, _ path: String, _ progress: @Sendable (ClipProgress) -> Void)
            throws(AudioError) -> BatchClip = BatchClip.draft,
        journal: Journal
    ) {
        self.make = make
        self.journal = journal
    }
}
