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
    ///   - account: who adds a way to sign in.
    /// - Returns: where it goes, and the cookie's value.
    func begin(
        _ service: String, server: String, way: String, account: AccountID? = nil, _ request: Request,
        from network: ClientNetwork
    ) async throws(Failure) -> (page: WebAddress, browser: String) {
        let (state, browser) = (OpaqueToken(), browser(request) ?? OpaqueToken())
        do throws(AccountError) {
            try await desk.limits.consume("identity", IdentityDoors.rule, by: .network(network))
        } catch {
            throw .account(error)
        }
        let (provider, page) = try await page(service, server, state)
        do throws(AccountError) {
            try await desk.accounts.begin(
                IdentityAttempt(provider: provider, way: way, account: account), state: state, browser: browser)
        } catch {
            throw .account(error)
        }
        return (page, browser.secret.reveal())
    }

    /// What a browser was given when it went away.
    func browser(_ request: Request) -> OpaqueToken? {
        doors.cookie.value(in: request).flatMap { OpaqueToken(shown: $0) }
    }

    /// Who has come back.
    ///
    /// - Throws: ``Failure``; the state is used up then too.
    func arrive(
        _ request: Request, in browser: OpaqueToken
    ) async throws(Failure) -> (IdentityAttempt, IdentityArrival) {
        guard let state = OpaqueToken(shown: request.query("state")) else { throw .account(.deadLink) }
        let attempt: IdentityAttempt
        do throws(AccountError) {
            attempt = try await desk.accounts.end(attempt: state, browser: browser)
        } catch { throw .account(error) }
        let code = request.query("code")
        guard !code.isEmpty, code.utf8.count <= 4096 else {
            let reason = PlainText(request.query("error"), limit: 100).value
            throw note(.declined(reason: reason.isEmpty ? "it sent no code" : reason))
        }
        let (provider, person) = try await person(attempt.provider, code: code, state, request)
        let arrival = IdentityArrival(
            identity: OutsideIdentity(provider: provider, subject: person.subject, shown: person.shown),
            handle: person.handle, mail: person.mail.flatMap { try? MailAddress(typed: $0) }, way: attempt.way)
        return (attempt, arrival)
    }

    /// Asks the service who it was.
    private func person(
        _ provider: String, code: String, _ state: OpaqueToken, _ request: Request
    ) async throws(Failure) -> (provider: String, OutsidePerson) {
        let (key, redirect) = (doors.proof(of: state), doors.redirect)
        if let openID = doors.openID, provider == openID.name {
            let issuer = request.query("iss")
            do throws(IdentityError) {
                return (
                    provider,
                    try await openID.person(
                        code: code, issuer: issuer.isEmpty ? nil : issuer, nonce: doors.nonce(of: state), key: key,
                        redirect: redirect)
                )
            } catch { throw note(error) }
        }
        guard let mastodon = doors.mastodon, provider.hasPrefix("mastodon "),
            let server = WebAddress(String(provider.dropFirst(9)))
        else { throw .unknownService }
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
        let (key, redirect) = (doors.proof(of: state), doors.redirect)
        if service == "oidc", let openID = doors.openID {
            do throws(IdentityError) {
                let page = try await openID.page(
                    state: state.secret.reveal(), nonce: doors.nonce(of: state), key: key, redirect: redirect)
                return (openID.name, page)
            } catch { throw note(error) }
        }
        guard service == "mastodon", let mastodon = doors.mastodon else { throw .unknownService }
        let address: WebAddress
        do throws(IdentityError) { address = try mastodon.server(typed: server) } catch { throw note(error) }
        let client = try await client(of: mastodon, at: address)
        let page = mastodon.page(
            at: address, client: client, state: state.secret.reveal(), key: key, redirect: redirect)
        return ("mastodon \(address.origin)", page)
    }

    /// As what a server knows this hub; it is asked once.
    private func client(of mastodon: MastodonDoor, at server: WebAddress) async throws(Failure) -> MastodonDoor.Client {
        let redirect = doors.redirect
        do throws(AccountError) {
            if let known = try await desk.accounts.client(at: server.origin, redirect: redirect) {
                return MastodonDoor.Client(id: known.id, secret: known.secret)
            }
        } catch { throw .account(error) }
        let client: MastodonDoor.Client
        do throws(IdentityError) {
            client = try await mastodon.register(
                at: server, name: "Chirp", redirect: redirect, website: doors.publicURL)
        } catch { throw note(error) }
        do throws(AccountError) {
            try await desk.accounts.keepClient(
                id: client.id, secret: client.secret, at: server.origin, redirect: redirect)
        } catch { throw .account(error) }
        return client
    }

    /// For whoever runs the hub: people see a sentence that says less.
    private func note(_ error: IdentityError) -> Failure {
        logger.info("\(error.whatHappened)")
        return .service(error)
    }
}
