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
    let door: MastodonDoor
    /// For those that are to answer.
    let answerDoor: MastodonDoor
    /// Nil where the owner does not allow it.
    private let x: FrameX?
    let transport: any HTTPTransport
    let pause: Sleeper
    /// After a failure.
    let retry = RetryPolicy(base: .seconds(2), cap: .seconds(300), attempts: .max)
    /// Where browsers come back to.
    let redirect: String
    let publicURL: String
    private let signer: Signer
    private let friendLists = FriendLists()
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
        redirect = "\(publicURL)/frame/back"
        self.publicURL = publicURL
        self.signer = signer
    }

    /// Those that are offered, with the names that people know, and what there is to be said of them before.
    var offered: [(network: FrameDevice.Network, name: String, hint: String?)] {
        [(.mastodon, "Mastodon", nil)] + (x.map { [(.x, "X", word("frame.network.x", ["cap": $0.cap]))] } ?? [])
    }

    static let notOffered = Problem(.unprocessableContent, "not-accepted", "This network is not offered here")

    // MARK: Signing in

    /// Where somebody signs in to a network: in the frame's own window.
    func begin(
        _ frame: FrameDevice, _ network: FrameDevice.Network, server: String, _ desk: FrameDesk
    ) async throws -> String? {
        if network == .x {
            guard let x else { throw Self.notOffered }
            let state = OpaqueToken()
            try await desk.library.keepFrameKey(state.digest, .signin, frame: frame.id, detail: FrameRemote.x)
            return x.door.page(state: state.secret.reveal(), key: proof(of: state), redirect: redirect).text
        }
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
    func proof(of state: OpaqueToken) -> ProofKey {
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
    ///
    /// - Returns: why answering was not allowed, for the frame that goes on as it was.
    func arrive(
        _ frame: FrameDevice, state: String, code: String, _ desk: FrameDesk
    ) async throws -> FrameAnswerRefusal? {
        guard let token = OpaqueToken(shown: state),
            let key = try await desk.library.useFrameKey(
                token.digest, .signin, frame: frame.id)
        else {
            if frame.step != .watch { try await refuse(frame, "declined", desk) }
            return nil
        }
        if let server = FrameAnswerDoor.server(of: key.detail) {
            return try await FrameAnswerDoor(networks: self, desk: desk).arrive(frame, at: server, token, code: code)
        }
        try await arrive(frame, token, at: key.detail, code: code, desk)
        return nil
    }

    private func arrive(
        _ frame: FrameDevice, _ state: OpaqueToken, at place: String, code: String, _ desk: FrameDesk
    ) async throws {
        guard !code.isEmpty, code.utf8.count <= 4096 else { return try await refuse(frame, "declined", desk) }
        if place == FrameRemote.x { return try await arriveFromX(frame, code, proof(of: state), desk) }
        guard let server = WebAddress(place) else { return try await refuse(frame, "declined", desk) }
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
            change.sealed = .some(desk.seal.close(remote, of: frame.id))
            change.tokens = .some(nil)
            try await join(frame, change, desk)
        } catch let error as IdentityError {
            desk.logger.info("\(error.whatHappened)")
            if case .clientForgotten = error { try await desk.accounts.forgetClient(at: server.origin) }
            if case .declined = error { return try await refuse(frame, "declined", desk) }
            try await refuse(frame, "server", desk)
        }
    }

    /// What a sign-in has brought counts from now on, and nothing of what was there before.
    private func join(_ frame: FrameDevice, _ change: HubLibrary.FrameChange, _ desk: FrameDesk) async throws {
        var change = change
        change.step = .friends
        change.vip = .some(nil)
        change.why = .some(nil)
        change.cursor = .some(nil)
        change.forgetsUpdates = true
        try await desk.library.change(frame.id, change)
        // A sign-in that the frame had before is over.
        await forget(frame, desk)
    }

    private func arriveFromX(
        _ frame: FrameDevice, _ code: String, _ key: ProofKey, _ desk: FrameDesk
    ) async throws {
        guard let x else { return try await refuse(frame, "declined", desk) }
        let tokens: WebSignIn.Tokens
        do throws(SignInError) { tokens = try await x.door.tokens(code: code, key: key, redirect: redirect) } catch {
            desk.logger.info("\(error.whatHappened)")
            if case .http = error { return try await refuse(frame, "server", desk) }
            return try await refuse(frame, "declined", desk)
        }
        let grant = FrameXGrant(tokens)
        let me: Account
        do throws(NetworkError) {
            me = try await x.network(FixedToken(tokens.access, service: "x"), me: nil, desk).signedIn()
        } catch {
            desk.logger.info("\(error.whatHappened)")
            await x.door.end(grant.secrets)
            if case .overBudget = error { return try await refuse(frame, "budget", desk) }
            return try await refuse(frame, "server", desk)
        }
        let remote = FrameRemote(
            server: FrameRemote.x, client: "", clientSecret: "", token: "", account: me.id.text, handle: me.handle,
            readsMessages: tokens.scopes.map { $0.contains(OAuthService.messagesOfX) })
        var change = HubLibrary.FrameChange()
        change.network = .x
        change.sealed = .some(desk.seal.close(remote, of: frame.id))
        change.tokens = .some(desk.seal.close(grant, of: frame.id))
        try await join(frame, change, desk)
    }

    private func refuse(_ frame: FrameDevice, _ why: String, _ desk: FrameDesk) async throws {
        var change = HubLibrary.FrameChange()
        change.why = why
        try await desk.library.change(frame.id, change)
    }

    // MARK: Choosing

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
        let cap = Int64((x.settings.monthlyUSD * 1_000_000).rounded())
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

    /// Some of those whom the account follows. A server has no order: so while the list loads pages have nobody on them and say how many
    /// have come, and then all come by their handles.
    func friends(of frame: FrameDevice, after: String?, _ desk: FrameDesk) async throws -> FrameFriends {
        guard let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let network = network(remote, of: frame.id, desk)
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
                FrameFriends.Friend(
                    person: Self.person(friend).document,
                    photo: FrameFaces.path(of: friend.account.id.text, friend.picture, desk))
            },
            next: last.map { FrameFriends.Place(loaded: all.count, behind: $0.account.handle).text },
            loaded: all.count)
    }

    /// Where the picture of somebody lies who can be chosen now.
    func picture(of person: String, amongFriendsOf frame: FrameDevice.ID) -> String? {
        friendLists.friend(person, of: frame)?.picture
    }

    private static func person(_ friend: Friend) -> FrameRemote.Person {
        FrameRemote.Person(
            id: friend.account.id.text, handle: friend.account.handle, name: friend.account.displayName,
            picture: friend.picture)
    }

    /// Shows somebody from there. What she has posted lately can be looked at, and counts as shown.
    func watch(_ person: String, on frame: FrameDevice, _ desk: FrameDesk) async throws -> FrameDevice? {
        guard var remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let network = network(remote, of: frame.id, desk)
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
            if case .overBudget = error {
                throw Problem(
                    .unprocessableContent, "not-accepted", word("frame.why.budget"), detail: word("frame.why.budget"))
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
        try await desk.limits.allow("frame-sound:\(frame.id)", FrameDesk.Rule.sounds)
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
}

extension FrameNetworks {
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

/// Lists of friends while somebody chooses: in memory, for as long as that takes.
private final class FriendLists: Sendable {
    struct List: Sendable {
        var friends: [Friend] = []
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
        of frame: FrameDevice.ID, _ network: any PersonNetwork, restarts: Bool, now: Date
    ) async throws(NetworkError) -> List {
        var list = lists.withLock { lists in
            lists = lists.filter { abs(now.timeIntervalSince($0.value.at)) < Self.longest }
            return lists[frame] ?? List(at: now)
        }
        if restarts, list.hasBegun, list.next == nil { list = List(at: now) }
        guard !list.hasBegun || list.next != nil else { return list }
        let page: (friends: [Friend], next: String?)
        do throws(NetworkError) { page = try await network.friends(page: list.next) } catch {
            // Of a list that costs more than is left whoever has come can be chosen.
            guard case .overBudget = error, !list.friends.isEmpty else { throw error }
            page = ([], nil)
        }
        list.hasBegun = true
        list.friends += page.friends
        list.next = page.friends.isEmpty || list.friends.count >= Self.most ? nil : page.next
        lists.withLock { [list] in $0[frame] = list }
        return list
    }

    func friend(_ id: String, of frame: FrameDevice.ID) -> Friend? {
        lists.withLock { $0[frame]?.friends.first { $0.account.id.text == id } }
    }

    func forget(_ frame: FrameDevice.ID) { lists.withLock { _ = $0.removeValue(forKey: frame) } }
}
