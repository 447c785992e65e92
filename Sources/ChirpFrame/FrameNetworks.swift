internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
package import ChirpHTTP
internal import ChirpNetworks
internal import ChirpOAuth
package import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging
internal import Synchronization

/// The other networks that frames read. Each sign-in only reads; it lies closed in the frame's row and is in no answer.
package struct FrameNetworks: Sendable {
    private let door: MastodonDoor
    let transport: any HTTPTransport
    let pause: Sleeper
    /// After a failure.
    let retry = RetryPolicy(base: .seconds(2), cap: .seconds(300), attempts: .max)
    /// Where browsers come back to.
    private let redirect: String
    private let publicURL: String
    private let signer: Signer
    private let friendLists = FriendLists()
    /// Wakes whoever looks after the watchers.
    let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - transport: reaches only public addresses, unless tests allow others.
    ///   - allowsLoopback: servers on this machine may be named too, without TLS; for tests.
    package init(
        transport: any HTTPTransport, clock: any Clock<Duration>, pause: Sleeper = .real, publicURL: String,
        signer: Signer, allowsLoopback: Bool
    ) {
        door = MastodonDoor(
            transport: transport, clock: clock, scope: MastodonDoor.frameScope, allowsLoopback: allowsLoopback)
        self.transport = transport
        self.pause = pause
        redirect = "\(publicURL)/frame/back"
        self.publicURL = publicURL
        self.signer = signer
    }

    /// Those that are offered, with the names that people know.
    var offered: [(network: FrameDevice.Network, name: String)] { [(.mastodon, "Mastodon")] }

    static let notOffered = Problem(.unprocessableContent, "not-accepted", "This network is not offered here")

    // MARK: Signing in

    /// Where somebody signs in to a network: in the frame's own window.
    func begin(
        _ frame: FrameDevice, _ network: FrameDevice.Network, server: String, _ desk: FrameDesk
    ) async throws -> String? {
        guard network == .mastodon else { throw Self.notOffered }
        do {
            let address = try door.server(typed: server)
            let client = try await client(at: address, desk)
            let state = OpaqueToken()
            try await desk.library.keepFrameKey(state.digest, .signin, frame: frame.id, detail: address.origin)
            return door.page(
                at: address, client: client, state: state.secret.reveal(), key: proof(of: state), redirect: redirect
            ).text
        } catch let error as IdentityError {
            desk.logger.info("\(error.whatHappened)")
            throw Problem(.unprocessableContent, "not-accepted", word("frame.why.server"))
        }
    }

    /// What proves that a code is redeemed by the hub that asked for it. Derived, so that no table holds it.
    private func proof(of state: OpaqueToken) -> ProofKey {
        ProofKey(verifier: signer.signature(of: state.secret.reveal(), for: "frame verifier"))
    }

    /// As what a server knows this hub's frames; it is asked once.
    private func client(at server: WebAddress, _ desk: FrameDesk) async throws -> MastodonDoor.Client {
        if let known = try await desk.accounts.client(at: server.origin, redirect: redirect) {
            return MastodonDoor.Client(id: known.id, secret: known.secret)
        }
        let client = try await door.register(at: server, name: "Chirp frame", redirect: redirect, website: publicURL)
        try await desk.accounts.keepClient(
            id: client.id, secret: client.secret, at: server.origin, redirect: redirect)
        return client
    }

    /// Takes a browser back that has signed in, or has not. The state counts once, and only in the browser that was sent away.
    func arrive(_ frame: FrameDevice, state: String, code: String, _ desk: FrameDesk) async throws {
        guard let state = OpaqueToken(shown: state),
            let key = try await desk.library.useFrameKey(state.digest, .signin, frame: frame.id),
            let server = WebAddress(key.detail)
        else { return try await refuse(frame, "declined", desk) }
        guard !code.isEmpty, code.utf8.count <= 4096 else { return try await refuse(frame, "declined", desk) }
        do {
            let client = try await client(at: server, desk)
            let token = try await door.token(
                at: server, client: client, code: code, key: proof(of: state), redirect: redirect)
            let person = try await door.person(at: server, token: token)
            let remote = FrameRemote(
                server: server.origin, client: client.id, clientSecret: client.secret.reveal(), token: token.reveal(),
                account: String(person.subject.split(separator: " ").last ?? ""),
                handle: String(person.shown.drop { $0 == "@" }))
            var change = HubLibrary.FrameChange()
            change.network = .mastodon
            change.step = .friends
            change.vip = .some(nil)
            change.sealed = .some(desk.seal.close(remote, of: frame.id))
            change.why = .some(nil)
            change.cursor = .some(nil)
            change.forgetsUpdates = true
            try await desk.library.change(frame.id, change)
            // Servers may give the same token again.
            let old = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id)
            if let old, old.token != remote.token { await forget(frame, desk) }
        } catch let error as IdentityError {
            desk.logger.info("\(error.whatHappened)")
            if case .clientForgotten = error { try await desk.accounts.forgetClient(at: server.origin) }
            if case .declined = error { return try await refuse(frame, "declined", desk) }
            try await refuse(frame, "server", desk)
        }
    }

    private func refuse(_ frame: FrameDevice, _ why: String, _ desk: FrameDesk) async throws {
        var change = HubLibrary.FrameChange()
        change.why = why
        try await desk.library.change(frame.id, change)
    }

    // MARK: Choosing

    func network(_ remote: FrameRemote) -> MastodonNetwork? {
        guard let instance = WebAddress(remote.server) else { return nil }
        let signed = AuthorizedTransport(transport, tokens: FixedToken(Secret(remote.token), service: "mastodon"))
        let me = Account(id: Account.ID(remote.account), handle: remote.handle, displayName: "")
        return MastodonNetwork(instance: instance, transport: signed, me: me, pause: pause)
    }

    /// Some of those whom the account follows. A server has no order: so while the list loads pages have nobody on them and say how many
    /// have come, and then all come by their handles.
    func friends(of frame: FrameDevice, after: String?, _ desk: FrameDesk) async throws -> FrameFriends {
        guard let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id), let network = network(remote)
        else { throw FrameDesk.noFrame(nil) }
        let list = try await answering(frame, desk) { () throws(NetworkError) in
            try await friendLists.more(of: frame.id, network, restarts: after == nil, now: desk.library.now())
        }
        guard list.next == nil else {
            return FrameFriends(
                friends: [], next: FrameFriends.Place(loaded: list.friends.count, behind: "").text,
                loaded: list.friends.count)
        }
        let behind = FrameFriends.Place(after).behind
        let all = list.friends.sorted { $0.account.handle.lowercased() < $1.account.handle.lowercased() }
        let first = behind.isEmpty ? 0 : (all.firstIndex { $0.account.handle == behind }.map { $0 + 1 } ?? 0)
        let page = all[first...].prefix(FrameFriends.page)
        let last = page.endIndex < all.endIndex ? page.last : nil
        return FrameFriends(
            friends: page.map { friend in
                FrameFriends.Friend(person: Self.person(friend).document, photo: nil)
            },
            next: last.map { FrameFriends.Place(loaded: all.count, behind: $0.account.handle).text },
            loaded: all.count)
    }

    private static func person(_ friend: MastodonNetwork.Friend) -> FrameRemote.Person {
        FrameRemote.Person(
            id: friend.account.id.text, handle: friend.account.handle, name: friend.account.displayName,
            picture: friend.picture)
    }

    /// Shows somebody from there. What she has posted lately can be looked at, and counts as shown.
    func watch(_ person: String, on frame: FrameDevice, _ desk: FrameDesk) async throws -> FrameDevice? {
        guard var remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id), let network = network(remote)
        else { throw FrameDesk.noFrame(nil) }
        let id = Account.ID(person)
        let found = try await answering(frame, desk) { () throws(NetworkError) in
            var list = try await friendLists.more(
                of: frame.id, network, restarts: false, now: desk.library.now())
            while list.next != nil {
                list = try await friendLists.more(
                    of: frame.id, network, restarts: false, now: desk.library.now())
            }
            return list.friends.first { $0.account.id == id }
        }
        guard let found else { return nil }
        remote.vip = Self.person(found)
        var change = HubLibrary.FrameChange()
        change.step = .watch
        change.sealed = .some(desk.seal.close(remote, of: frame.id))
        change.why = .some(nil)
        change.cursor = .some(nil)
        change.forgetsUpdates = true
        guard let changed = try await desk.library.change(frame.id, change) else { return nil }
        // What cannot be had now comes with the watcher's first look.
        _ = try? await FrameWatcher(desk: desk, frame: frame.id).look()
        await picture(of: found.picture, for: changed, desk)
        changes.continuation.yield()
        return try await desk.library.frame(frame.id)
    }

    /// The largest picture of a person that the network has, made anew by the child.
    private func picture(of address: String?, for frame: FrameDevice, _ desk: FrameDesk) async {
        guard let address = address.flatMap({ WebAddress($0) }), let pictures = desk.pictures else { return }
        let request = ChirpHTTP.HTTPRequest(.get, address, sink: .memory(limit: 10_000_000))
        guard let response = try? await transport.send(request), response.isSuccess,
            let jpeg = try? await pictures(response.body)
        else { return }
        _ = try? await desk.library.setPhoto(of: frame.id, to: jpeg, isOwn: false)
    }

    /// Asks, and ends the frame when its sign-in has ended there.
    private func answering<T: Sendable>(
        _ frame: FrameDevice, _ desk: FrameDesk, _ ask: () async throws(NetworkError) -> T
    ) async throws -> T {
        do throws(NetworkError) { return try await ask() } catch {
            if case .signedOut = error {
                try await desk.library.endFrame(frame.id, why: .revoked)
                changes.continuation.yield()
                throw FrameDesk.noFrame(.revoked)
            }
            throw Problem(
                .serviceUnavailable, "busy", "The other network does not answer now", detail: error.whatHappened,
                retryAfter: 5)
        }
    }

    /// The sound of an update from there.
    func sound(
        of update: FrameUpdate, on frame: FrameDevice, _ request: Request, _ desk: FrameDesk
    ) async throws -> Response {
        guard let said = desk.seal.open(FrameRemote.Said.self, update.sealed, of: frame.id),
            let audio = said.audio, let sounds = desk.sounds
        else { throw Problem(.notFound, "not-found", "This update has no sound") }
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
        guard let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let server = WebAddress(remote.server)
        else { return }
        let client = MastodonDoor.Client(id: remote.client, secret: Secret(remote.clientSecret))
        await door.end(Secret(remote.token), at: server, client: client)
    }
}

/// Lists of friends while somebody chooses: in memory, for as long as that takes.
private final class FriendLists: Sendable {
    struct List: Sendable {
        var friends: [MastodonNetwork.Friend] = []
        /// Leads to the next page; nil when all have come.
        var next: String?
        var hasBegun = false
        var at: Date
    }

    private let lists = Mutex<[FrameDevice.ID: List]>([:])
    private static let longest = 600.0
    private static let most = 20_000

    /// A list with one page more than it had.
    ///
    /// - Parameter restarts: who has come meanwhile is to be seen; a list that is being loaded goes on.
    func more(
        of frame: FrameDevice.ID, _ network: MastodonNetwork, restarts: Bool, now: Date
    ) async throws(NetworkError) -> List {
        var list = lists.withLock { lists in
            lists = lists.filter { abs(now.timeIntervalSince($0.value.at)) < Self.longest }
            return lists[frame] ?? List(at: now)
        }
        if restarts, list.hasBegun, list.next == nil { list = List(at: now) }
        guard !list.hasBegun || list.next != nil else { return list }
        let page = try await network.friends(page: list.next)
        list.hasBegun = true
        list.friends += page.friends
        list.next = page.friends.isEmpty || list.friends.count >= Self.most ? nil : page.next
        lists.withLock { [list] in $0[frame] = list }
        return list
    }

    func forget(_ frame: FrameDevice.ID) { lists.withLock { _ = $0.removeValue(forKey: frame) } }
}
