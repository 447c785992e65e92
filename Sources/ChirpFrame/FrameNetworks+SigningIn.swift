internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpNetworks
internal import ChirpOAuth
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging

/// How a network has answered, in the browser that was sent there. Nothing of it is believed yet.
struct FrameSignInAnswer: Sendable {
    /// The last part of the address where it came; nil at that of X.
    let callback: String?
    let state: String
    /// As the answer names its sender (`iss`, RFC 9207); empty where it does not.
    let issuer: String
    let code: String

    /// A code that can be redeemed; nil where the answer has none.
    var usableCode: String? { code.isEmpty || code.utf8.count > 4096 ? nil : code }
}

/// Signing in to another network. What comes back counts once, and only in the browser that was sent away.
extension FrameNetworks {
    /// Where somebody signs in to a network: in the frame's own window.
    func begin(
        _ frame: FrameDevice, _ network: FrameDevice.Network, server: String, _ desk: FrameDesk
    ) async throws -> String? {
        if network == .x {
            guard let x else { throw Self.notOffered }
            let state = OpaqueToken()
            try await desk.library.keepFrameKey(state.digest, .signin, frame: frame.id, detail: FrameRemote.x)
            return x.door.page(state: state.secret.reveal(), key: proof(of: state), redirect: redirect(for: nil)).text
        }
        guard network == .mastodon else { throw Self.notOffered }
        do {
            let address = try door.server(typed: server)
            let client = try await client(at: address, desk)
            let state = OpaqueToken()
            try await desk.library.keepFrameKey(state.digest, .signin, frame: frame.id, detail: address.origin)
            return door.page(
                at: address, client: client, state: state.secret.reveal(), key: proof(of: state),
                redirect: redirect(for: address)
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
        let redirect = redirect(for: server)
        if let known = try await desk.accounts.client(at: server.origin, redirect: redirect) {
            return MastodonDoor.Client(id: known.id, secret: known.secret, namesIssuer: known.namesIssuer)
        }
        let client = try await door.register(at: server, name: "Chirp frame", redirect: redirect, website: publicURL)
        try await desk.accounts.keepClient(
            id: client.id, secret: client.secret, namesIssuer: client.namesIssuer, at: server.origin,
            redirect: redirect)
        return client
    }

    /// Takes a browser back that has signed in, or has not. The state counts once, and only in the browser that was sent away.
    ///
    /// - Returns: why nothing came of it, for a frame that stays as it was.
    func arrive(
        _ frame: FrameDevice, _ answer: FrameSignInAnswer, _ desk: FrameDesk
    ) async throws -> FrameAnswerRefusal? {
        guard let token = OpaqueToken(shown: answer.state),
            let key = try await desk.library.useFrameKey(
                token.digest, .signin, frame: frame.id)
        else { return frame.step == .watch ? nil : .declined }
        if let server = FrameAnswerDoor.server(of: key.detail) {
            return try await FrameAnswerDoor(networks: self, desk: desk).arrive(frame, at: server, token, answer)
        }
        try await arrive(frame, token, at: key.detail, answer, desk)
        return nil
    }

    /// An answer has to come to the address of the server that was asked, and name no other: a hostile one can send the browser on to an
    /// honest one, for a code of that (RFC 9700, section 4.4). Answers with an error, too.
    func requireSender(
        of answer: FrameSignInAnswer, _ server: WebAddress, _ door: MastodonDoor, _ client: MastodonDoor.Client,
        _ desk: FrameDesk
    ) async throws {
        guard answer.callback == server.callbackName else {
            throw IdentityError.notBelieved(reason: "the answer came to the address of another service")
        }
        guard door.accepts(issuer: answer.issuer, of: server, client: client) else {
            // It may be another program by now, which promises something else. Whoever has a browser can write this, so nothing is forgotten by
            // which others sign in.
            try await desk.accounts.forgetClient(at: server.origin, idle: Accounts.shortestClient)
            throw IdentityError.notBelieved(reason: "the answer does not name the service that was asked")
        }
        try await desk.accounts.clientUsed(at: server.origin)
    }

    private func arrive(
        _ frame: FrameDevice, _ state: OpaqueToken, at place: String, _ answer: FrameSignInAnswer, _ desk: FrameDesk
    ) async throws {
        if place == FrameRemote.x { return try await arriveFromX(frame, answer, proof(of: state), desk) }
        guard let server = WebAddress(place) else { return try await refuse(frame, "declined", desk) }
        do {
            let client = try await client(at: server, desk)
            try await requireSender(of: answer, server, door, client, desk)
            guard let code = answer.usableCode else { return try await refuse(frame, "declined", desk) }
            let token = try await door.token(
                at: server, client: client, code: code, key: proof(of: state), redirect: redirect(for: server))
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
        _ frame: FrameDevice, _ answer: FrameSignInAnswer, _ key: ProofKey, _ desk: FrameDesk
    ) async throws {
        guard let x, answer.callback == nil, x.door.accepts(issuer: answer.issuer), let code = answer.usableCode else {
            return try await refuse(frame, "declined", desk)
        }
        let tokens: WebSignIn.Tokens
        do throws(SignInError) {
            tokens = try await x.door.tokens(code: code, key: key, redirect: redirect(for: nil))
        } catch {
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
}
