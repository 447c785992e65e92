public import ChirpAudio
public import ChirpCore
public import ChirpJournal
public import ChirpNetworks
public import Foundation

/// Everything that live listening needs of the outside world. The executable builds live ones, tests build fakes.
public struct LivePorts: Sendable {
    public var journal: Journal
    public var cache: ClipCache
    public var sources: [LiveSource]
    /// Decides what is a clip, and where it lies.
    public var links: ClipLinks
    /// Fetches a clip into a file, going on with what an earlier, broken attempt has left there.
    public var fetch:
        @Sendable (_ clip: ClipAddress, _ path: String, _ limit: Int64) async throws(NetworkError) ->
            ClipDownloader.Download
    public var measure:
        @Sendable (_ path: String, _ name: String, _ longest: Duration) async throws(AudioError) -> ClipFacts
    /// Plays a clip to its end, or until it is skipped. Says when its first sample has gone to the sound server.
    public var play:
        @Sendable (
            _ clip: PlayRecord, _ path: String, _ started: @escaping @Sendable (PlaybackRemote) -> Void,
            _ report: @escaping @Sendable (LiveEvent) -> Void
        ) async throws(AudioError) -> Void
    /// The time of day.
    public var now: @Sendable () -> Date = { Date() }
    /// A clock that only goes forward.
    public var uptime: @Sendable () -> Duration = { ContinuousClock.now - Self.start }
    /// Returns early when the task is cancelled.
    public var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// Numbers in 0..<1.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// With the uptime at which it happened. Quick; from any thread.
    public var report: @Sendable (_ at: Duration, LiveEvent) -> Void = { _, _ in }
    /// When a network that failed is asked again.
    public var backOff = RetryPolicy(base: .seconds(1), cap: .seconds(300), attempts: .max)

    private static let start = ContinuousClock.now

    public init(
        journal: Journal, cache: ClipCache, sources: [LiveSource], links: ClipLinks,
        fetch:
            @escaping @Sendable (_ clip: ClipAddress, _ path: String, _ limit: Int64) async throws(NetworkError) ->
            ClipDownloader.Download,
        measure:
            @escaping @Sendable (_ path: String, _ name: String, _ longest: Duration) async throws(AudioError) ->
            ClipFacts = {
                (path, name, longest) async throws(AudioError) in
                try await offPool { () throws(AudioError) in
                    try ClipFacts(measuring: path, name: name, longest: longest)
                }
            },
        play:
            @escaping @Sendable (
                _ clip: PlayRecord, _ path: String, _ started: @escaping @Sendable (PlaybackRemote) -> Void,
                _ report: @escaping @Sendable (LiveEvent) -> Void
            ) async throws(AudioError) -> Void
    ) {
        self.journal = journal
        self.cache = cache
        self.sources = sources
        self.links = links
        self.fetch = fetch
        self.measure = measure
        self.play = play
    }
}
