internal import ChirpHTTP
public import FoundationEssentials
internal import Synchronization

/// A hub on another machine as a client sees it, on 127.0.0.1: Mastodon's client API with its sign-in, uploads by tus, and the
/// hub's own API for clips, with a limit and faults on demand.
public final class LoopbackHub: Sendable {
    /// A clip that the hub has checked and kept.
    public struct Clip: Sendable {
        public let id: String
        public let bytes: [UInt8]
        public let sha256: String
        public let title: String
        /// Milliseconds since 1970, as they were sent.
        public let expires: String?
        public var isShared = false
    }

    /// Posts and the sign-in.
    public let mastodon: LoopbackMastodon
    private let core: LoopbackHubCore

    public init(limit: Int64? = nil, port: UInt16 = 0, now: @escaping @Sendable () -> Date = { Date() }) throws {
        let core = LoopbackHubCore(limit: limit)
        self.core = core
        mastodon = try LoopbackMastodon(
            port: port, now: now, gate: { method, path, _ in core.gate(method, path) },
            front: { request, oauth in core.reply(to: request, isSignedIn: { oauth.accepts(request) }) })
    }

    public var base: String { mastodon.base }
    public func close() { mastodon.close() }

    // MARK: what tests do and see

    /// Lets something go wrong, once; several of one kind in their order.
    public func plan(_ fault: HubFault, at call: HubCall) { core.state.withLock { $0.faults.append((call, fault)) } }
    /// Nothing that was planned happens any more.
    public func forgetFaults() {
        core.state.withLock { $0.faults = [] }
        mastodon.forgetFaults()
    }
    public func setLimit(_ limit: Int64?) { core.state.withLock { $0.limit = limit } }
    /// The next uploads are asked about so often before their check is over; `retryAfter` goes along each time.
    public func setChecks(_ count: Int, retryAfter: String? = nil) {
        core.state.withLock { $0.checks = (count, retryAfter) }
    }
    /// An upload whose id comes again gives way to a new one; by default the same checksum is answered with the same upload.
    public func setReplaces(_ replaces: Bool) { core.state.withLock { $0.replaces = replaces } }
    /// The check refuses what comes next, for this reason.
    public func refuse(_ why: String) { core.state.withLock { $0.refusal = why } }

    /// In the order of their checks.
    public var clips: [Clip] { core.state.withLock { $0.clips } }
    /// Uploads that were begun and are known still.
    public var uploadCount: Int { core.state.withLock { $0.uploads.count } }
    public var requests: [LoopbackServer.Request] { mastodon.server.requests }
    /// What was asked of the hub's own API, in order.
    public var calls: [HubCall] { requests.compactMap { HubCall(method: $0.method, path: $0.path) } }
    public func count(_ calls: HubCall...) -> Int { self.calls.count { calls.contains($0) } }
    /// Content that came in uploads, repetitions included.
    public var uploadedBytes: Int64 {
        requests.filter { HubCall(method: $0.method, path: $0.path) == .patch }.reduce(0) { $0 + $1.bodyCount }
    }
}
