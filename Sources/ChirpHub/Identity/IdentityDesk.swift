internal import ChirpAccounts
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpOAuth
internal import ChirpWeb
internal import Hummingbird
internal import Logging

/// Sends browsers to services elsewhere, and finds out who came back.
struct IdentityDesk: Sendable {
    let desk: AccountDesk
    let logger: Logger

    private var doors: IdentityDoors { desk.doors }

    /// Why somebody was not signed in: the hub's own reasons, or the service's.
    enum Failure: Error {
        case account(AccountError)
        case service(IdentityError)
        case unknownService

        /// A sentence for the page, without its full stop.
        var words: String {
            switch self {
            case .account(.deadLink): word("identity.error.dead")
            case .account(let error): error.words
            case .service(.badServer): word("identity.error.server")
            case .service(.declined): word("identity.error.declined")
            case .service(.unreachable): word("identity.error.unreachable")
            case .service(.unusable), .service(.notBelieved), .service(.clientForgotten):
                word("identity.error.answer")
            case .unknownService: word("identity.error.unknown")
            }
        }

        var status: HTTPResponse.Status {
            switch self {
            case .account(let error): error.problem?.status ?? .internalServerError
            case .service(.badServer), .service(.declined): .unprocessableContent
            case .service: .badGateway
            case .unknownService: .notFound
            }
        }
    }

    /// Writes down that a browser goes away.
    ///
    /// - Parameters:
    ///   - server: of Mastodon, as typed.
    ///   - linking: who adds a way to sign in, and the accounts as ``AccountDesk/confirm(_:_:in:)`` gives them.
    /// - Returns: where it goes, and the cookie's value.
    func begin(
        _ service: String, server: String, way: String, adding linking: (account: AccountID, accounts: Accounts)? = nil,
        _ request: Request, from network: ClientNetwork
    ) async throws(Failure) -> (page: WebAddress, browser: String) {
        let (state, browser) = (OpaqueToken(), browser(request) ?? OpaqueToken())
        do throws(AccountError) {
            try await desk.limits.consume("identity", IdentityDoors.rule, by: .network(network))
        } catch {
            throw .account(error)
        }
        let (provider, page) = try await page(service, server, state)
        do throws(AccountError) {
            try await (linking?.accounts ?? desk.accounts).begin(
                IdentityAttempt(provider: provider, way: way, account: linking?.account), state: state, browser: browser
            )
        } catch {
            throw .account(error)
        }
        return (page, browser.secret.reveal())
    }

    /// What a browser was given when it went away.
    func browser(_ request: Request) -> OpaqueToken? {
        doors.cookie.value(in: request).flatMap { OpaqueToken(shown: $0) }
    }

    /// Who has come back. Before anything of the answer is used, the address where it came and its `iss` have to be those of the service for
    /// which the attempt was begun: a hostile one can send the browser on to an honest one, for a code of that (RFC 9700, section 4.4).
    ///
    /// - Parameter callback: the last part of the address where the answer came; nil at that of the service of OpenID Connect.
    /// - Throws: ``Failure``; the state is used up then too.
    func arrive(
        _ request: Request, at callback: String?, in browser: OpaqueToken
    ) async throws(Failure) -> (IdentityAttempt, IdentityArrival) {
        guard let state = OpaqueToken(shown: request.query("state")) else { throw .account(.deadLink) }
        let attempt: IdentityAttempt
        do throws(AccountError) {
            attempt = try await desk.accounts.end(attempt: state, browser: browser)
        } catch { throw .account(error) }
        let server = IdentityDoors.server(of: attempt.provider)
        guard server?.callbackName == callback else {
            throw note(.notBelieved(reason: "the answer came to the address of another service"))
        }
        try await requireIssuer(request.query("iss"), of: attempt.provider, at: server)
        let code = request.query("code")
        guard !code.isEmpty, code.utf8.count <= 4096 else {
            let reason = PlainText(request.query("error"), limit: 100).value
            throw note(.declined(reason: reason.isEmpty ? "it sent no code" : reason))
        }
        let (provider, person) = try await person(attempt.provider, at: server, code: code, state)
        let arrival = IdentityArrival(
            identity: OutsideIdentity(provider: provider, subject: person.subject, shown: person.shown),
            handle: person.handle, mail: person.mail.flatMap { try? MailAddress(typed: $0) }, way: attempt.way)
        return (attempt, arrival)
    }

    /// Answers with a code and answers with an error alike have to come from the service that was asked (RFC 9207, section 2.4).
    private func requireIssuer(
        _ issuer: String, of provider: String, at server: WebAddress?
    ) async throws(Failure) {
        let isRight: Bool
        if let server {
            guard let mastodon = doors.mastodon else { throw .unknownService }
            isRight = mastodon.accepts(issuer: issuer, of: server, client: try await client(of: mastodon, at: server))
            // It may be another program by now, which promises something else. Whoever has a browser can write this, so nothing is forgotten by
            // which others sign in.
            if !isRight { try? await desk.accounts.forgetClient(at: server.origin, idle: Accounts.shortestClient) }
        } else {
            guard let openID = doors.openID, provider == openID.name else { throw .unknownService }
            do throws(IdentityError) { isRight = try await openID.accepts(issuer: issuer) } catch { throw note(error) }
        }
        guard isRight else { throw note(.notBelieved(reason: "the answer does not name the service that was asked")) }
    }

    /// Asks the service who it was.
    ///
    /// - Parameter server: of Mastodon; nil for the service of OpenID Connect.
    private func person(
        _ provider: String, at server: WebAddress?, code: String, _ state: OpaqueToken
    ) async throws(Failure) -> (provider: String, OutsidePerson) {
        let (key, redirect) = (doors.proof(of: state), doors.redirect(for: server))
        if server == nil, let openID = doors.openID, provider == openID.name {
            do throws(IdentityError) {
                return (
                    provider,
                    try await openID.person(code: code, nonce: doors.nonce(of: state), key: key, redirect: redirect)
                )
            } catch { throw note(error) }
        }
        guard let mastodon = doors.mastodon, let server else { throw .unknownService }
        do throws(AccountError) { try await desk.accounts.clientUsed(at: server.origin) } catch {
            throw .account(error)
        }
        let client = try await client(of: mastodon, at: server)
        do throws(IdentityError) {
            return (
                "mastodon",
                try await mastodon.person(at: server, client: client, code: code, key: key, redirect: redirect)
            )
        } catch {
            if case .clientForgotten = error { try? await desk.accounts.forgetClient(at: server.origin) }
            throw note(error)
        }
    }

    /// Where a browser goes, and what stands for the service meanwhile.
    private func page(
        _ service: String, _ server: String, _ state: OpaqueToken
    ) async throws(Failure) -> (provider: String, WebAddress) {
        let key = doors.proof(of: state)
        if service == "oidc", let openID = doors.openID {
            do throws(IdentityError) {
                let page = try await openID.page(
                    state: state.secret.reveal(), nonce: doors.nonce(of: state), key: key,
                    redirect: doors.redirect(for: nil))
                return (openID.name, page)
            } catch { throw note(error) }
        }
        guard service == "mastodon", let mastodon = doors.mastodon else { throw .unknownService }
        let address: WebAddress
        do throws(IdentityError) { address = try mastodon.server(typed: server) } catch { throw note(error) }
        let client = try await client(of: mastodon, at: address)
        let page = mastodon.page(
            at: address, client: client, state: state.secret.reveal(), key: key,
            redirect: doors.redirect(for: address))
        return (IdentityDoors.provider(of: address), page)
    }

    /// As what a server knows this hub; it is asked once.
    private func client(of mastodon: MastodonDoor, at server: WebAddress) async throws(Failure) -> MastodonDoor.Client {
        let redirect = doors.redirect(for: server)
        do throws(AccountError) {
            if let known = try await desk.accounts.client(at: server.origin, redirect: redirect) {
                return MastodonDoor.Client(id: known.id, secret: known.secret, namesIssuer: known.namesIssuer)
            }
        } catch { throw .account(error) }
        let client: MastodonDoor.Client
        do throws(IdentityError) {
            client = try await mastodon.register(
                at: server, name: "Chirp", redirect: redirect, website: doors.publicURL)
        } catch { throw note(error) }
        do throws(AccountError) {
            try await desk.accounts.keepClient(
                id: client.id, secret: client.secret, namesIssuer: client.namesIssuer, at: server.origin,
                redirect: redirect)
        } catch { throw .account(error) }
        return client
    }

    /// For whoever runs the hub: people see a sentence that says less.
    private func note(_ error: IdentityError) -> Failure {
        logger.info("\(error.whatHappened)")
        return .service(error)
    }
}
