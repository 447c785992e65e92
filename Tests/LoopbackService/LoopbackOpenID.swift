public import ChirpHTTP
internal import ChirpCore
internal import Crypto
internal import CryptoExtras
public import FoundationEssentials
internal import Synchronization

/// A service on loopback that signs one person in by OpenID Connect, with keys of its own; it can also be wrong on demand.
public final class LoopbackOpenID: Sendable {
    /// What is wrong from now on.
    public enum Fault: Sendable, Hashable {
        case nonce, audience, party, issuer, ended, future
        /// Signed by nobody.
        case unsigned
        /// Signed with the client's secret.
        case shared
        /// Signed by a key that nobody publishes.
        case foreignKey
        /// Something in the content was changed after signing.
        case changed
        case hugeKeys
        /// The keys lie at this address.
        case keysAt(String)
        case redirect(String)
        case discoveryIssuer
        /// Codes are redeemed at this address.
        case tokenAt(String)
        /// The page where people sign in sends them on to another service's, with these fields instead of its own.
        case leadsOn(to: String, [String: String])
    }

    fileprivate enum Key: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    fileprivate struct State {
        var key: Key
        var keyID = "key-1"
        var faults: Set<Fault> = []
        var codes: [String: (challenge: String, nonce: String, redirect: String)] = [:]
        var mail: (address: String, isVerified: Bool)?
        var subject = "subject-1"
        var keyQuestions = 0
        var secrets: [String] = []
        /// The only addresses to which answers go; nil: any.
        var redirects: [String]?
        var issuer: String?
        var promisesIssuer = false
    }

    fileprivate final class Core: Sendable {
        let client: String
        let secret: String
        let now: @Sendable () -> Date
        let state: Mutex<State>

        init(client: String, secret: String, now: @escaping @Sendable () -> Date) {
            (self.client, self.secret, self.now) = (client, secret, now)
            state = Mutex(State(key: .p256(P256.Signing.PrivateKey())))
        }
    }

    public let server: LoopbackServer
    private let core: Core

    /// - Parameter now: what its tokens end by.
    public init(
        client: String = "hub", secret: String = "hush-openid-secret",
        gate: @escaping LoopbackServer.GateKeeper = { _, _, _ in .read },
        now: @escaping @Sendable () -> Date
    ) throws {
        let core = Core(client: client, secret: secret, now: now)
        self.core = core
        server = try LoopbackServer(gate: gate) { core.reply(to: $0) }
    }

    /// The issuer.
    public var base: String { server.base }
    public func close() { server.close() }

    public func fail(_ faults: Fault...) { core.state.withLock { $0.faults = Set(faults) } }
    /// Whom it signs in from now on.
    public func be(_ subject: String, mail: String? = nil, isVerified: Bool = true) {
        core.state.withLock { ($0.subject, $0.mail) = (subject, mail.map { ($0, isVerified) }) }
    }
    /// Signs with another key from now on, which it publishes under another name.
    public func changeKey(toRSA: Bool = false) throws {
        let key = toRSA ? Key.rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)) : .p256(P256.Signing.PrivateKey())
        core.state.withLock { ($0.key, $0.keyID) = (key, "key-\(RandomName(length: 6))") }
    }
    /// The only addresses to which answers go from now on.
    public func answer(onlyAt redirects: [String]) { core.state.withLock { $0.redirects = redirects } }
    /// What it calls itself in its answers from now on (`iss`, RFC 9207); nil: nothing.
    ///
    /// - Parameter promises: its metadata say that each answer has it.
    public func name(_ issuer: String?, promises: Bool = false) {
        core.state.withLock { ($0.issuer, $0.promisesIssuer) = (issuer, promises) }
    }
    /// How often the keys were asked for.
    public var keyQuestions: Int { core.state.withLock { $0.keyQuestions } }
    /// Every code and verifier that was on the wire.
    public var secrets: [String] { core.state.withLock { $0.secrets } }
}

extension LoopbackOpenID.Core {
    fileprivate func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let base = "http://\(request.headers["Host"] ?? "")"
        return state.withLock { state in
            for case .redirect(let address) in state.faults where request.path != "/authorize" {
                return LoopbackServer.Reply(302, headers: [("Location", address)])
            }
            switch (request.method, request.path) {
            case ("GET", "/.well-known/openid-configuration"):
                var keys = "\(base)/keys"
                for case .keysAt(let address) in state.faults { keys = address }
                let issuer = state.faults.contains(.discoveryIssuer) ? "\(base)/other" : base
                var token = "\(base)/token"
                for case .tokenAt(let address) in state.faults { token = address }
                return .json(
                    200,
                    #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(base)/authorize","#
                        + #""token_endpoint":"\#(token)","jwks_uri":"\#(keys)","#
                        + #""authorization_response_iss_parameter_supported":\#(state.promisesIssuer)}"#)
            case ("GET", "/keys"):
                state.keyQuestions += 1
                if state.faults.contains(.hugeKeys) {
                    return .json(200, "{\"keys\":[],\"x\":\"\(String(repeating: "x", count: 2 << 20))\"}")
                }
                return .json(200, "{\"keys\":[\(Self.document(state.key, state.keyID))]}")
            case ("GET", "/authorize"):
                for case .leadsOn(let address, let fields) in state.faults {
                    let query = request.query.merging(fields) { $1 }.sorted { $0.key < $1.key }
                    let form = PercentEncoding.form(query.map { ($0.key, $0.value) })
                    return LoopbackServer.Reply(302, headers: [("Location", "\(address)?\(form)")])
                }
                return page(request, &state)
            case ("POST", "/token"): return token(request, base, &state)
            default: return .json(404, "{}")
            }
        }
    }

    private func page(
        _ request: LoopbackServer.Request, _ state: inout LoopbackOpenID.State
    ) -> LoopbackServer.Reply {
        let query = request.query
        guard query["client_id"] == client, query["response_type"] == "code", query["code_challenge_method"] == "S256",
            let challenge = query["code_challenge"], challenge.count == 43, let nonce = query["nonce"],
            let redirect = query["redirect_uri"], let target = WebAddress(redirect),
            state.redirects?.contains(redirect) ?? true,
            query["scope"]?.split(separator: " ").contains("openid") == true
        else { return .json(400, #"{"error":"invalid_request"}"#) }
        let code = "code-\(RandomName(length: 20))"
        state.secrets.append(code)
        state.codes[code] = (challenge, nonce, redirect)
        var back = target.adding(["code": code, "state": query["state"] ?? ""])
        if let issuer = state.issuer { back = back.adding(["iss": issuer]) }
        return LoopbackServer.Reply(302, headers: [("Location", back.text)])
    }

    private func token(
        _ request: LoopbackServer.Request, _ base: String, _ state: inout LoopbackOpenID.State
    ) -> LoopbackServer.Reply {
        let form = request.form
        let basic = "Basic " + Data("\(client):\(secret)".utf8).base64EncodedString()
        guard request.headers["Authorization"] == basic else { return .json(401, #"{"error":"invalid_client"}"#) }
        let verifier = form["code_verifier"] ?? ""
        state.secrets.append(verifier)
        let digest = Self.base64url(Array(SHA256.hash(data: Data(verifier.utf8))))
        guard let code = form["code"].flatMap({ state.codes.removeValue(forKey: $0) }), code.challenge == digest,
            code.redirect == form["redirect_uri"]
        else { return .json(400, #"{"error":"invalid_grant"}"#) }
        let token = sign(claims(base, code.nonce, state), state)
        return .json(200, #"{"access_token":"at","token_type":"Bearer","id_token":"\#(token)"}"#)
    }

    private func claims(_ base: String, _ nonce: String, _ state: LoopbackOpenID.State) -> String {
        let (faults, now) = (state.faults, Int(now().timeIntervalSince1970))
        let issued = faults.contains(.future) ? now + 3600 : faults.contains(.ended) ? now - 7200 : now
        var fields = [
            #""iss":"\#(faults.contains(.issuer) ? "https://other.example" : base)""#,
            #""sub":"\#(state.subject)""#, #""iat":\#(issued)"#, #""exp":\#(issued + 3600)"#,
            #""nonce":"\#(faults.contains(.nonce) ? "another" : nonce)""#, #""preferred_username":"Ann_Example""#,
        ]
        if faults.contains(.audience) {
            fields.append(#""aud":"another""#)
        } else if faults.contains(.party) {
            fields.append(#""aud":["\#(client)","another"],"azp":"another""#)
        } else {
            fields.append(#""aud":"\#(client)""#)
        }
        if let mail = state.mail {
            fields.append(#""email":"\#(mail.address)","email_verified":\#(mail.isVerified)"#)
        }
        return "{\(fields.joined(separator: ","))}"
    }

    private func sign(_ claims: String, _ state: LoopbackOpenID.State) -> String {
        var name = "ES256"
        if case .rsa = state.key { name = "RS256" }
        if state.faults.contains(.unsigned) { name = "none" }
        if state.faults.contains(.shared) { name = "HS256" }
        let head = Self.base64url(Array(#"{"alg":"\#(name)","kid":"\#(state.keyID)","typ":"JWT"}"#.utf8))
        let signed = "\(head).\(Self.base64url(Array(claims.utf8)))"
        let bytes = Data(signed.utf8)
        var signature: [UInt8]
        switch state.key {
        case _ where state.faults.contains(.unsigned): signature = []
        case _ where state.faults.contains(.shared):
            signature = Array(
                HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: Data(secret.utf8))))
        case .p256(let key):
            let signer = state.faults.contains(.foreignKey) ? P256.Signing.PrivateKey() : key
            signature = (try? signer.signature(for: bytes)).map { Array($0.rawRepresentation) } ?? []
        case .rsa(let key):
            signature =
                (try? key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)).map {
                    Array($0.rawRepresentation)
                } ?? []
        }
        if state.faults.contains(.changed), !signature.isEmpty { signature[signature.count / 2] ^= 1 }
        return "\(signed).\(Self.base64url(signature))"
    }

    private static func document(_ key: LoopbackOpenID.Key, _ id: String) -> String {
        switch key {
        case .p256(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return
                #"{"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"\#(id)","x":"\#(base64url(Array(point[..<32])))","#
                + #""y":"\#(base64url(Array(point[32...])))"}"#
        case .rsa(let key):
            guard let numbers = try? key.publicKey.getKeyPrimitives() else { return "{}" }
            return #"{"kty":"RSA","use":"sig","kid":"\#(id)","n":"\#(base64url(Array(numbers.modulus)))","#
                + #""e":"\#(base64url(Array(numbers.publicExponent)))"}"#
        }
    }

    private static func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
