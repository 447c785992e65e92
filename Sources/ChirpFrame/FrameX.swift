package import ChirpCommunity
internal import ChirpCore
package import ChirpHTTP
package import FoundationEssentials
internal import ChirpNetworks
internal import ChirpOAuth
internal import Synchronization

/// X for frames, where the owner of the hub allows it and has set a cap: each thing that is read costs.
package final class FrameX: Sendable {
    let settings: FrameXSettings
    private let api: WebAddress
    private let transport: any HTTPTransport
    private let pause: Sleeper
    private let retry: RetryPolicy
    let door: WebSignIn
    /// One renewal of a frame's tokens at a time: refresh tokens are used up by it.
    private let renewals = Mutex<[FrameDevice.ID: Task<Result<Secret, HTTPError>, Never>]>([:])

    /// Renewed when a token ends sooner than in so many seconds.
    private static let margin = 60.0

    /// - Returns: nil where no address of X can be understood, or nothing may be spent.
    package init?(
        _ settings: FrameXSettings, transport: any HTTPTransport, pause: Sleeper, now: @escaping @Sendable () -> Date
    ) {
        guard settings.monthlyUSD > 0, let api = WebAddress(settings.api),
            let authorization = WebAddress(settings.authorization)
        else { return nil }
        self.settings = settings
        self.api = api
        self.transport = transport
        self.pause = Sleeper(now: now, wait: pause.wait, jitter: pause.jitter)
        retry = RetryPolicy(base: .milliseconds(500), cap: .seconds(8), attempts: 3)
        door = WebSignIn(
            .xReading(
                authorization: authorization, api: api, clientID: settings.clientID,
                clientSecret: settings.clientSecret),
            transport: transport, now: now)
    }

    /// What may be spent in a month, as people write it.
    var cap: String { "$\(settings.monthlyUSD.formattedCents)" }

    /// X, read with tokens.
    ///
    /// - Parameter me: the account that is signed in; nil to ask, which costs.
    func network(_ tokens: any TokenSource, me: Account?, _ desk: FrameDesk) -> XNetwork {
        XNetwork(
            api: api, transport: AuthorizedTransport(transport, tokens: tokens), me: me,
            settings: XSettings(mode: .intent, monthlyBudgetUSD: settings.monthlyUSD),
            ledger: HubLedger(library: desk.library), retry: retry, pause: pause)
    }

    /// A frame's own tokens, renewed when they end.
    func tokens(of frame: FrameDevice.ID, _ desk: FrameDesk) -> any TokenSource {
        FrameXTokens(x: self, desk: desk, frame: frame)
    }

    /// A token that is good, or a new one. Whoever asks meanwhile waits for the same; nobody's leaving loses a token that has come.
    fileprivate func token(
        of frame: FrameDevice.ID, insteadOf rejected: Secret?, _ desk: FrameDesk
    ) async throws(HTTPError) -> Secret {
        let task = renewals.withLock { tasks in
            if let task = tasks[frame] { return task }
            let task = Task {
                let found = await self.renewed(frame, insteadOf: rejected, desk)
                self.renewals.withLock { _ = $0.removeValue(forKey: frame) }
                return found
            }
            tasks[frame] = task
            return task
        }
        return try await task.value.get()
    }

    private func renewed(
        _ frame: FrameDevice.ID, insteadOf rejected: Secret?, _ desk: FrameDesk
    ) async -> Result<Secret, HTTPError> {
        do throws(HTTPError) {
            guard let known = try await kept(frame, desk) else { throw .signedOut(service: "x", cause: "") }
            let token = Secret(known.access)
            let ends = known.expires.map { $0.timeIntervalSince(desk.library.now()) < Self.margin } ?? false
            if token != rejected, !ends { return .success(token) }
            guard let refresh = known.refresh else {
                throw .signedOut(service: "x", cause: "X no longer accepts the sign-in")
            }
            let tokens = try await door.tokens(refresh: Secret(refresh))
            let kept = FrameXGrant(tokens, after: known)
            // Before it is used: the one before has been used up.
            var change = HubLibrary.FrameChange()
            change.tokens = .some(desk.seal.close(kept, of: frame))
            change.isSilent = true
            do throws(LibraryError) { try await desk.library.change(frame, change) } catch {
                throw .inputOutput(path: "hub.sqlite", reason: error.whatHappened)
            }
            return .success(Secret(kept.access))
        } catch { return .failure(error) }
    }

    private func kept(_ frame: FrameDevice.ID, _ desk: FrameDesk) async throws(HTTPError) -> FrameXGrant? {
        do throws(LibraryError) {
            return desk.seal.open(FrameXGrant.self, try await desk.library.frame(frame)?.tokens, of: frame)
        } catch { throw .inputOutput(path: "hub.sqlite", reason: error.whatHappened) }
    }
}

/// The tokens of a frame's sign-in at X. They are kept closed (``FrameSeal``).
struct FrameXGrant: Codable, Hashable, Sendable {
    var access: String
    var refresh: String?
    var expires: Date?

    init(_ tokens: WebSignIn.Tokens, after old: FrameXGrant? = nil) {
        access = tokens.access.reveal()
        refresh = tokens.refresh?.reveal() ?? old?.refresh
        expires = tokens.expires
    }

    var secrets: [Secret] { [refresh, access].compactMap { $0.map { Secret($0) } } }
}

private struct FrameXTokens: TokenSource {
    let x: FrameX
    let desk: FrameDesk
    let frame: FrameDevice.ID

    func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
        try await x.token(of: frame, insteadOf: rejected, desk)
    }
}

extension Double {
    /// Dollars: `5`, or `2.50`.
    fileprivate var formattedCents: String {
        let cents = Int64(clamping: (Swift.min(Swift.max(self, 0), 1e9) * 100).rounded())
        let rest = cents % 100
        return rest == 0 ? "\(cents / 100)" : "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
