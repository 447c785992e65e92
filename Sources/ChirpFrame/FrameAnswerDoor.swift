internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpHTTP
internal import ChirpNetworks
internal import ChirpOAuth
internal import ChirpWeb
internal import FoundationEssentials
internal import Glibc
internal import Hummingbird
internal import Logging

/// Why answering at another network was not allowed.
enum FrameAnswerRefusal: String, Hashable, Sendable {
    case declined
    case server
    /// Somebody else has signed in.
    case other

    /// For whoever stands before the screen.
    var sentence: String {
        switch self {
        case .declined: word("frame.why.declined")
        case .server: word("frame.why.server")
        case .other: word("frame.why.other")
        }
    }
}

/// Answering somebody at a Mastodon server. What reads there may not write: that takes a second sign-in, which is asked for only when
/// answering was switched on, and which counts for nothing else.
struct FrameAnswerDoor: Sendable {
    let networks: FrameNetworks
    let desk: FrameDesk

    private static let mark = "answers "
    /// By what the hub keeps a client apart that may write; no address that a browser comes back to.
    private func clientName(at server: WebAddress) -> String { "\(networks.redirect(for: server)) answers" }

    /// The server where somebody has gone to allow answering; nil when she has gone for something else.
    static func server(of detail: String) -> WebAddress? {
        detail.hasPrefix(mark) ? WebAddress(String(detail.dropFirst(mark.count))) : nil
    }

    private static func notAllowed() -> Problem {
        Problem(
            .forbidden, "read-only", "A frame only reads",
            detail: "The other network was asked for reading alone; answering takes a sign-in of its own there")
    }

    /// Where somebody lets a frame answer: in its own window.
    func begin(_ frame: FrameDevice) async throws -> String {
        guard frame.style.answers, frame.step == .watch, frame.network == .mastodon,
            let remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
            let server = WebAddress(remote.server)
        else {
            throw Problem(.forbidden, "read-only", "A frame only reads", detail: "Answering is not switched on")
        }
        do {
            let client = try await client(at: server)
            let state = OpaqueToken()
            try await desk.library.keepFrameKey(
                state.digest, .signin, frame: frame.id, detail: "\(Self.mark)\(server.origin)")
            return networks.answerDoor.page(
                at: server, client: client, state: state.secret.reveal(), key: networks.proof(of: state),
                redirect: networks.redirect(for: server)
            ).text
        } catch let error as IdentityError {
            desk.logger.info("\(error.whatHappened)")
            throw Problem(.unprocessableContent, "not-accepted", word("frame.why.server"))
        }
    }

    private func client(at server: WebAddress) async throws -> MastodonDoor.Client {
        let name = clientName(at: server)
        if let known = try await desk.accounts.client(at: server.origin, redirect: name) {
            return MastodonDoor.Client(id: known.id, secret: known.secret, namesIssuer: known.namesIssuer)
        }
        let client = try await networks.answerDoor.register(
            at: server, name: "Chirp frame, answering", redirect: networks.redirect(for: server),
            website: networks.publicURL)
        try await desk.accounts.keepClient(
            id: client.id, secret: client.secret, namesIssuer: client.namesIssuer, at: server.origin, redirect: name)
        return client
    }

    /// Takes a browser back. The same person has to allow it whose friends the frame shows.
    func arrive(
        _ frame: FrameDevice, at server: WebAddress, _ state: OpaqueToken, _ answer: FrameSignInAnswer
    ) async throws -> FrameAnswerRefusal? {
        do {
            let client = try await client(at: server)
            try await networks.requireSender(of: answer, server, networks.answerDoor, client, desk)
            guard let code = answer.usableCode else { return .declined }
            let token = try await networks.answerDoor.token(
                at: server, client: client, code: code, key: networks.proof(of: state),
                redirect: networks.redirect(for: server))
            let person = try await networks.answerDoor.person(at: server, token: token)
            guard var remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id),
                remote.server == server.origin, person.subject == "\(server.origin) \(remote.account)"
            else {
                await networks.answerDoor.end(token, at: server, client: client)
                return .other
            }
            remote.writing = token.reveal()
            remote.writingClient = client.id
            remote.writingSecret = client.secret.reveal()
            try await keep(remote, of: frame)
            return nil
        } catch let error as IdentityError {
            desk.logger.info("\(error.whatHappened)")
            if case .clientForgotten = error { try await desk.accounts.forgetClient(at: server.origin) }
            if case .declined = error { return .declined }
            return .server
        }
    }

    private func keep(_ remote: FrameRemote, of frame: FrameDevice) async throws {
        var change = HubLibrary.FrameChange()
        change.sealed = .some(desk.seal.close(remote, of: frame.id))
        try await desk.library.change(frame.id, change)
        networks.changes.continuation.yield()
    }

    /// Sends an answer as a message to the person whom the frame shows; gives its name there.
    ///
    /// - Parameter key: by which the other network knows it again.
    func send(_ mp3: [UInt8], key: String, from frame: FrameDevice) async throws -> String {
        guard var remote = desk.seal.open(FrameRemote.self, frame.sealed, of: frame.id), let vip = remote.vip,
            let token = remote.writing, let server = WebAddress(remote.server)
        else { throw Self.notAllowed() }
        let path = desk.library.uploads.file(HubID())
        defer { unlink(path) }
        try AtomicFile.write(mp3, to: path)
        let signed = AuthorizedTransport(
            networks.transport, tokens: FixedToken(Secret(token), service: "mastodon"))
        let network = MastodonNetwork(
            instance: server, transport: signed,
            me: Account(id: Account.ID(remote.account), handle: remote.handle, displayName: ""),
            settings: MastodonSettings(visibility: .direct, attachesClip: true), pause: networks.pause)
        let draft = Draft(
            key: Draft.Key(key), text: "@\(vip.handle)", link: "",
            attachment: Draft.Attachment(path: path, bytes: Int64(mp3.count), description: word("frame.answer")))
        do throws(NetworkError) { return try await network.publish(draft)?.id.text ?? "" } catch {
            desk.logger.info("\(error.whatHappened)")
            switch error {
            case .signedOut:
                // It goes on reading; answering is asked for again.
                (remote.writing, remote.writingClient, remote.writingSecret) = (nil, nil, nil)
                try await keep(remote, of: frame)
                throw Self.notAllowed()
            case .busy, .unreachable, .inputOutput, .cancelled:
                throw Problem(.serviceUnavailable, "busy", "The other network does not answer now", retryAfter: 5)
            default:
                throw Problem(
                    .unprocessableContent, "not-accepted", "What was spoken cannot be sent",
                    detail: error.whatHappened)
            }
        }
    }

    /// The right to write ends with the frame.
    func end(_ remote: FrameRemote, at server: WebAddress, unlessIn kept: Set<String>) async {
        guard let token = remote.writing, !kept.contains(token), let id = remote.writingClient,
            let secret = remote.writingSecret
        else { return }
        await networks.answerDoor.end(
            Secret(token), at: server, client: MastodonDoor.Client(id: id, secret: Secret(secret)))
    }
}
