/// Pauses, skips or cancels a running playback from another thread or task, and tells how it goes.
public struct PlaybackControl: Sendable {
    let playback: PlaybackStream

    /// Falls silent at once and keeps the place. Writing blocks meanwhile.
    public func pause() { playback.setPaused(true) }
    public func resume() { playback.setPaused(false) }
    public var isPaused: Bool { playback.connection.locked { playback.paused } }

    /// Falls silent at once and throws away what is queued; the writer takes and drops whatever comes after.
    public func skip() { playback.skip() }
    public var isSkipped: Bool { playback.connection.locked { playback.skipped } }

    /// Gives up: a waiting writer throws ``AudioError/cancelled`` at once.
    public func cancel() { playback.connection.cancel() }

    public var statistics: PlaybackStatistics { playback.statistics() }
}

/// What a playback has done so far.
public struct PlaybackStatistics: Hashable, Sendable {
    /// Frames taken from the writer.
    public var writtenFrames = 0
    /// Frames that the listener has heard, as well as the server knows.
    public var heardFrames = 0
    /// How often the listener heard a gap because the writer was late.
    public var underRuns = 0
    /// How often device or server were lost and got back.
    public var reconnections = 0
    /// When the first sample was handed to the server.
    public var firstWrite: ContinuousClock.Instant?
    /// The time from writing a sample to hearing it, as the server reported last.
    public var latency: Duration?
}
