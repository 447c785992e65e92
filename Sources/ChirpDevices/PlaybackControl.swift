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
