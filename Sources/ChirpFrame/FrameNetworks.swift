internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
package import ChirpHTTP
internal import ChirpNetworks
internal import ChirpOAuth
package import ChirpWeb
internal import Hummingbird
internal import Synchronization

/// The other networks that frames read. Each sign-in only reads; it lies closed in the frame's row and is in no answer.
package struct FrameNetworks: Sendable {
    let door: MastodonDoor
    /// For those that are to answer.
    let answerDoor: MastodonDoor
    /// Nil where the owner does not allow it.
    let x: FrameX?
    let transport: any HTTPTransport
    let pause: Sleeper
    /// After a failure.
    let retry = RetryPolicy(base: .seconds(2), cap: .seconds(300), attempts: .max)
    /// Where browsers come back to from X, and below which each Mastodon server has an address of its own.
    private let back: String
    let publicURL: String
    let signer: Signer
    let friendLists = FriendLists()
    let faces = KeptFaces()
    /// Pictures may lie on this machine, without TLS; for tests.
    let allowsPlain: Bool
    /// Wakes whoever looks after the watchers.
    let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - transport: reaches only public addresses, unless tests allow others.
    ///   - x: nil where frames do not read X.
    ///   - allowsLoopback: servers on this machine may be named too, without TLS; for tests.
    package init(
        transport: any HTTPTransport, clock: any Clock<Duration>, pause: Sleeper = .real, publicURL: String,
        signer: Signer, x: FrameX? = nil, allowsLoopback: Bool
    ) {
        self.x = x
        allowsPlain = allowsLoopback
        door = MastodonDoor(
            transport: transport, clock: clock, scope: MastodonDoor.frameScope, allowsLoopback: allowsLoopback)
        answerDoor = MastodonDoor(
            transport: transport, clock: clock, scope: MastodonDoor.answerScope, allowsLoopback: allowsLoopback)
        self.transport = transport
        self.pause = pause
        back = publicURL + Self.path
        self.publicURL = publicURL
        self.signer = signer
    }

    /// The path of the callback of X, which owners have registered there.
    static let path = "/frame/back"

    /// Where browsers come back to from a network: it shares the address with no other, so that an answer that comes there is that network's
    /// or nobody's (RFC 9700, section 4.4.2.2).
    ///
    /// - Parameter server: of Mastodon; nil for X.
    func redirect(for server: WebAddress?) -> String { server.map { "\(back)/\($0.callbackName)" } ?? back }

    /// Those that are offered, with the names that people know, and what there is to be said of them before.
    var offered: [(network: FrameDevice.Network, name: String, hint: String?)] {
        [(.mastodon, "Mastodon", nil)] + (x.map { [(.x, "X", word("frame.network.x", ["cap": $0.cap]))] } ?? [])
    }

    static let notOffered = Problem(.unprocessableContent, "not-accepted", "This network is not offered here")

    /// The network that a frame reads, with its sign-in there; nil when it cannot be asked any more.
    func network(_ remote: FrameRemote, of frame: FrameDevice.ID, _ desk: FrameDesk) -> (any PersonNetwork)? {
        remote.server == FrameRemote.x ? onX(remote, of: frame, desk) : onMastodon(remote)
    }

    private func onX(_ remote: FrameRemote, of frame: FrameDevice.ID, _ desk: FrameDesk) -> XNetwork? {
        let me = Account(id: Account.ID(remote.account), handle: remote.handle, displayName: "")
        return x.map { $0.network($0.tokens(of: frame, desk), me: me, desk) }
    }

    /// Says when a look is worth it.
    func looks(_ remote: FrameRemote, of frame: FrameDevice.ID, _ desk: FrameDesk) -> AsyncStream<Void>? {
        guard remote.server == FrameRemote.x else {
            return onMastodon(remote)?.signals(polling: FramePolling.looking, checking: FramePolling.checking).stream()
        }
        guard let x, let network = onX(remote, of: frame, desk) else { return nil }
        let cap = Int64(clamping: (x.settings.monthlyUSD * 1_000_000).rounded())
        let isFirst = Mutex(true)
        let pause = pause
        return AsyncStream {
            let frames = (try? await desk.library.framesElsewhere().count { $0.network == .x }) ?? 1
            let spent = (try? await network.spentThisMonth()) ?? cap
            var wait = FramePolling.wait(spent: spent, cap: cap, frames: frames, now: desk.library.now())
            // A hub that is started again looks soon, and not at once: whoever starts it often does not spend more by it.
            if isFirst.withLock({ first in
                defer { first = false }
                return first
            }) {
                wait = min(wait, FramePolling.shortest)
            }
            return await pause.wait(wait) ? () : nil
        }
    }

    private func onMastodon(_ remote: FrameRemote) -> MastodonNetwork? {
        guard let instance = WebAddress(remote.server) else { return nil }
        let signed = AuthorizedTransport(transport, tokens: FixedToken(Secret(remote.token), service: "mastodon"))
        let me = Account(id: Account.ID(remote.account), handle: remote.handle, displayName: "")
        return MastodonNetwork(instance: instance, transport: signed, me: me, pause: pause)
    }

    /// The sound of an update from there.
    func sound(
        of update: FrameUpdate, on frame: FrameDevice, _ request: Request, _ desk: FrameDesk
    ) async throws -> Response {
        guard let said = desk.seal.open(FrameRemote.Said.self, update.sealed, of: frame.id),
            let audio = said.audio, let sounds = desk.sounds
        else { throw Problem(.notFound, "not-found", "This update has no sound") }
        try await desk.limits.allow("frame-sound", FrameDesk.Rule.sounds, by: .device(frame))
        do throws(FrameDesk.Refusal) {
            let mp3 = try await sounds(audio, "frame-\(frame.id)-\(update.id)")
            return .sound(mp3, to: request)
        } catch {
            throw Problem(.notFound, "not-found", "The sound of this update cannot be had", detail: error.reason)
        }
    }

    /// A frame has ended, or has signed in elsewhere: its sign-in ends there too.
    func forget(_ frame: FrameDevice, _ desk: FrameDesk) async {
        changes.continuation.yield()
        friendLists.forget(frame.id)
        if let x, let grant = desk.seal.open(FrameXGrant.self, frame.tokens, of: frame.id) {
            await x.door.end(grant.secrets)
        }
        guard let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let server = WebAddress(remote.server)
        else { return }
        let kept = await tokens(desk, without: frame)
        let client = MastodonDoor.Client(id: remote.client, secret: Secret(remote.clientSecret))
        if !kept.contains(remote.token) { await door.end(Secret(remote.token), at: server, client: client) }
        await FrameAnswerDoor(networks: self, desk: desk).end(remote, at: server, unlessIn: kept)
    }

    /// Tokens of Mastodon that frames still read and write with, without what this one had: servers give one account the same token
    /// again, and ending it here would end it at the other screens too.
    private func tokens(_ desk: FrameDesk, without frame: FrameDevice) async -> Set<String> {
        let frames = (try? await desk.library.framesSignedInElsewhere()) ?? []
        return Set(
            frames.filter { $0.id != frame.id || $0.sealed != frame.sealed }
                .compactMap { desk.seal.open(FrameRemote.self, $0.sealed, of: $0.id) }
                .flatMap { [$0.token, $0.writing].compactMap { $0 } })
    }
}
