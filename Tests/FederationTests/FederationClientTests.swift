import ChirpCore
import ChirpFederation
import ChirpHTTP
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// Answers by address, and remembers what it was asked.
private final class Servers: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPError>
    private let state = Mutex<[HTTPRequest]>([])
    private let answer: Answer

    init(_ answer: @escaping Answer) { self.answer = answer }

    var seen: [HTTPRequest] { state.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        state.withLock { $0.append(request) }
        return try answer(request).get()
    }
}

/// Asking other servers, and giving them something.
@Suite struct FederationClientTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let bob = "https://remote.example/users/bob"
    private static let actor = #"""
        {"id":"https://remote.example/users/bob","type":"Person","preferredUsername":"bob","inbox":"https://remote.example/users/bob/inbox",
        "publicKey":{"id":"https://remote.example/users/bob#main-key","owner":"https://remote.example/users/bob","publicKeyPem":"PEM"}}
        """#
    private let key: ActorKey
    private let signer: Signer

    init() throws {
        key = try ExampleKeys.actor()
        signer = Signer(key: key, keyID: try #require(ObjectID("https://hub.example/actor#main-key")))
    }

    private func client(_ servers: any HTTPTransport, allowsLoopback: Bool = false) -> FederationClient {
        FederationClient(servers, rules: FederationRules(allowsLoopback: allowsLoopback), now: { Self.now })
    }

    private static func document(
        _ text: String, _ type: String = "application/activity+json; charset=utf-8"
    ) -> Result<HTTPResponse, HTTPError> {
        .success(HTTPResponse(status: 200, headers: ["Content-Type": type], body: Array(text.utf8)))
    }

    private static func redirect(_ address: String) -> Result<HTTPResponse, HTTPError> {
        .success(HTTPResponse(status: 302, headers: ["Location": address]))
    }

    private func bob(_ fragment: String = "") throws -> ObjectID { try #require(ObjectID(Self.bob + fragment)) }

    @Test func `an actor is asked for with a signature and the right type`() async throws {
        let servers = Servers { _ in Self.document(Self.actor) }
        let actor = try await client(servers).actor(bob(), signer: signer)
        #expect(actor.handle == "bob")
        let request = try #require(servers.seen.first)
        #expect(servers.seen.count == 1 && request.headers["Accept"] == MediaType.accept)
        let arriving = IncomingRequest(method: "GET", address: request.address, headers: request.headers, body: [])
        let claim = try SignatureClaim(of: arriving)
        #expect(try claim.verify(by: VerificationKey(pem: key.publicPEM), now: Self.now).scheme == .cavage)
    }

    @Test func `a server that knows only the new signatures is asked once more`() async throws {
        let servers = Servers { request in
            request.headers["Signature-Input"] == nil
                ? .success(HTTPResponse(status: 401)) : Self.document(Self.actor)
        }
        #expect(try await client(servers).actor(bob(), signer: signer).handle == "bob")
        #expect(servers.seen.count == 2 && servers.seen.last?.headers["Digest"] == nil)
    }

    @Test func `a key's owner is found through the actor, or through the key's own document`() async throws {
        let direct = Servers { _ in Self.document(Self.actor) }
        #expect(try await client(direct).owner(ofKey: bob("#main-key"), signer: signer).key?.pem == "PEM")
        await #expect(throws: FetchError.document(.foreign("publicKey"))) {
            try await client(direct).owner(ofKey: bob("#other"), signer: signer)
        }
        let text = Self.actor.replacing("bob#main-key", with: "bob/key")
        let apart = Servers { request in
            Self.document(
                request.address.path.hasSuffix("/key")
                    ? #"{"id":"\#(Self.bob)/key","owner":"\#(Self.bob)","publicKeyPem":"PEM"}"# : text)
        }
        #expect(try await client(apart).owner(ofKey: bob("/key"), signer: signer).key?.pem == "PEM")
        let stolen = Servers { request in
            Self.document(
                request.address.host == "remote.example"
                    ? Self.actor : #"{"id":"https://evil.example/key","owner":"\#(Self.bob)","publicKeyPem":"PEM"}"#)
        }
        let evil = try #require(ObjectID("https://evil.example/key"))
        await #expect(throws: FetchError.document(.foreign("owner"))) {
            try await client(stolen).owner(ofKey: evil, signer: signer)
        }
    }

    @Test func `an open redirect gives nobody another's id`() async throws {
        let servers = Servers { request in
            request.address.host == "remote.example" && !request.address.path.hasSuffix("bob")
                ? Self.redirect("https://evil.example/doc")
                : Self.document(Self.actor.replacing("users/bob", with: "go"))
        }
        let id = try #require(ObjectID("https://remote.example/go"))
        await #expect(throws: FetchError.document(.foreign("id"))) {
            try await client(servers).actor(id, signer: signer)
        }
        let claimed = Servers { request in
            Self.document(
                request.address.host == "evil.example" ? Self.actor : Self.actor.replacing("\"bob\"", with: "\"real\""))
        }
        let evil = try #require(ObjectID("https://evil.example/doc"))
        #expect(try await client(claimed).actor(evil, signer: signer).handle == "real")
    }

    @Test func `redirects are followed by the rules, and not for ever`() async throws {
        let once = Servers { request in
            request.address.path == "/old" ? Self.redirect("/users/bob") : Self.document(Self.actor)
        }
        let old = try #require(ObjectID("https://remote.example/old"))
        #expect(try await client(once).actor(old, signer: signer).id.text == Self.bob)
        for place in [
            "http://remote.example/", "https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/",
            "https://db.internal/", "https://0x7f000001/", "https://remote.example:8443/", "file:///etc/passwd",
        ] {
            let servers = Servers { request in
                request.address.host == "remote.example" && request.address.path == "/old"
                    ? Self.redirect(place) : Self.document(Self.actor)
            }
            await #expect(throws: FetchError.self) { try await client(servers).actor(old, signer: signer) }
            #expect(servers.seen.count == 1)
        }
        let endless = Servers { _ in Self.redirect("https://remote.example/old") }
        await #expect(throws: FetchError.forbidden("remote.example redirects too often")) {
            try await client(endless).actor(old, signer: signer)
        }
        #expect(endless.seen.count == 4)
    }

    @Test(arguments: [
        "http://remote.example/u", "https://localhost/u", "https://192.168.1.1/u", "https://[fd00::1]/u",
        "https://169.254.169.254/u", "https://nas.local/u", "https://2130706433/u", "https://remote.example:22/u",
    ])
    func `private and unusual places are not asked at all`(address: String) async throws {
        let servers = Servers { _ in Self.document(Self.actor) }
        let id = try #require(ObjectID(address))
        await #expect(throws: FetchError.self) { try await client(servers).actor(id, signer: signer) }
        guard case .refused = await client(servers).deliver([1], to: id.address, signer: signer) else {
            Issue.record("it was delivered to")
            return
        }
        #expect(servers.seen.isEmpty)
        #expect(
            FederationRules(allowsLoopback: true).refusal(of: id.address) == nil || address != "https://localhost/u")
    }

    @Test func `plain http to this machine is for tests alone`() async throws {
        let local = Self.actor.replacing("https://remote.example", with: "http://127.0.0.1:9000")
        let servers = Servers { request in
            Self.document(
                request.address.path == "/.well-known/webfinger"
                    ? #"{"links":[{"rel":"self","type":"application/activity+json","href":"http://127.0.0.1:9000/users/bob"}]}"#
                    : local)
        }
        let found = try await client(servers, allowsLoopback: true).find("bob@127.0.0.1:9000", signer: signer)
        #expect(found.handle == "bob" && servers.seen.first?.address.isSecure == false)
        await #expect(throws: FetchError.self) { try await client(servers).find("bob@127.0.0.1:9000", signer: signer) }
    }

    @Test func `a file that looks like an actor is none`() async throws {
        for type in ["application/json", "text/plain", "application/ld+json", "image/png"] {
            let servers = Servers { _ in Self.document(Self.actor, type) }
            await #expect(throws: FetchError.notActivity) { try await client(servers).actor(bob(), signer: signer) }
        }
    }

    @Test func `answers that are none say why`() async throws {
        for (answer, error) in [
            (.success(HTTPResponse(status: 410)), FetchError.gone),
            (.success(HTTPResponse(status: 404)), .status(404, after: nil)),
            (.success(HTTPResponse(status: 429, headers: ["Retry-After": "60"])), .status(429, after: .seconds(60))),
            (
                .failure(.tooLarge(host: "remote.example", limit: .init(1 << 20))),
                .unreachable(.tooLarge(host: "remote.example", limit: .init(1 << 20)))
            ),
            (Self.document("{}"), .document(.missing("id"))), (Self.document("["), .document(.notJSON)),
        ] as [(Result<HTTPResponse, HTTPError>, FetchError)] {
            let servers = Servers { _ in answer }
            await #expect(throws: error) { try await client(servers).actor(bob(), signer: signer) }
        }
        let slow = FederationClient(
            SilentTransport(), rules: FederationRules(), clock: InstantClock(), now: { Self.now })
        await #expect(throws: FetchError.tooSlow) { try await slow.actor(bob(), signer: signer) }
    }

    @Test func `a handle is found by WebFinger`() async throws {
        let servers = Servers { request in
            guard request.address.path == "/.well-known/webfinger" else { return Self.document(Self.actor) }
            let answer =
                #"{"subject":"acct:bob@remote.example","links":[{"rel":"self","type":"application/activity+json","href":"\#(Self.bob)"}]}"#
            return Self.document(answer, "application/jrd+json")
        }
        #expect(try await client(servers).find("@bob@remote.example", signer: signer).id.text == Self.bob)
        #expect(servers.seen.first?.headers["Signature"] == nil)
        await #expect(throws: FetchError.self) { try await client(servers).find("bob", signer: signer) }
    }

    @Test func `a delivery is signed over its content and taken`() async throws {
        let servers = Servers { _ in .success(HTTPResponse(status: 202)) }
        let inbox = try #require(WebAddress("https://remote.example/inbox"))
        let content = Array(#"{"type":"Create"}"#.utf8)
        #expect(await client(servers).deliver(content, to: inbox, signer: signer) == .accepted(.cavage))
        let request = try #require(servers.seen.first)
        #expect(request.headers["Content-Type"] == "application/activity+json" && request.headers["Digest"] != nil)
        let arriving = IncomingRequest(method: "POST", address: inbox, headers: request.headers, body: content)
        _ = try SignatureClaim(of: arriving).verify(by: VerificationKey(pem: key.publicPEM), now: Self.now)
    }

    @Test func `a delivery knocks twice, and says by which scheme it was heard`() async throws {
        let inbox = try #require(WebAddress("https://remote.example/inbox"))
        for (first, accepted) in [
            (SignatureScheme.cavage, SignatureScheme.messageSignatures), (.messageSignatures, .cavage),
        ] {
            let servers = Servers { request in
                let isNew = request.headers["Signature-Input"] != nil
                return .success(HTTPResponse(status: isNew == (accepted == .messageSignatures) ? 202 : 401))
            }
            let outcome = await client(servers).deliver([1], to: inbox, signer: signer, first: first)
            #expect(outcome == .accepted(accepted) && servers.seen.count == 2)
        }
        let deaf = Servers { _ in .success(HTTPResponse(status: 401)) }
        guard case .later(_, nil) = await client(deaf).deliver([1], to: inbox, signer: signer) else {
            Issue.record("it was given up")
            return
        }
        #expect(deaf.seen.count == 2)
    }

    @Test func `what came of a delivery is one of five`() async throws {
        let inbox = try #require(WebAddress("https://remote.example/inbox"))
        func outcome(_ answer: Result<HTTPResponse, HTTPError>) async -> DeliveryOutcome {
            await client(Servers { _ in answer }).deliver([1], to: inbox, signer: signer)
        }
        func status(_ status: Int, _ headers: HTTPHeaders = [:]) async -> DeliveryOutcome {
            await outcome(.success(HTTPResponse(status: status, headers: headers)))
        }
        #expect(await status(200) == .accepted(.cavage))
        #expect(await status(410) == .gone)
        for code in [301, 307, 400, 403, 404, 413, 422] {
            #expect(await status(code) == .refused("remote.example answers \(code)"))
        }
        for code in [408, 429, 500, 502, 503] {
            #expect(await status(code) == .later("remote.example answers \(code)", after: nil))
        }
        #expect(await status(429, ["Retry-After": "7"]) == .later("remote.example answers 429", after: .seconds(7)))
        #expect(await outcome(.failure(.cancelled)) == .cancelled)
        guard case .refused = await outcome(.failure(.privateAddress(host: "remote.example"))),
            case .later = await outcome(.failure(.unresolved(host: "remote.example"))),
            case .later = await outcome(.failure(.interrupted(host: "remote.example", reason: "reset")))
        else {
            Issue.record("failures of the network are told apart")
            return
        }
        let slow = FederationClient(
            SilentTransport(), rules: FederationRules(), clock: InstantClock(), now: { Self.now })
        guard case .later = await slow.deliver([1], to: inbox, signer: signer) else {
            Issue.record("a silent server is waited for")
            return
        }
    }
}
