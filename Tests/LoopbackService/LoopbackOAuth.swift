internal import ChirpHTTP
internal import ChirpCore
internal import Crypto
public import FoundationEssentials
internal import Synchronization

/// The sign-in of a service as seen from outside (apis.md 1, 3.2 and 4.1): authorization page, codes with PKCE, refresh with or
/// without rotation, device codes, revocation. It is as strict as the real ones where that has been seen.
public final class LoopbackOAuth: Sendable {
    /// What differs between the services.
    public enum Flavour: Sendable, Hashable {
        case google
        case x
        case mastodon
    }

    /// What the person does at the page.
    public enum Decision: Sendable, Hashable {
        case allow
        case deny
        /// Allows, but unticks one scope.
        case allowWithout(String)
    }

    private struct Code {
        var challenge: String
        var redirect: String
        var client: String
        var scope: String
    }

    private struct Grant {
        var scope: String
        var expires: Date
    }

    private struct State {
        var decision = Decision.allow
        var codes: [String: Code] = [:]
        var access: [String: Grant] = [:]
        var refresh: [String: String] = [:]  // token, scope
        var deviceAnswers: [String] = []
        var lifetime: TimeInterval
        var faults: [LoopbackServer.Reply] = []
        var secrets: [String] = []
        var refreshes = 0
        var forced = false
        var clients: [String: String]
        /// By client; a client without any is answered anywhere.
        var redirects: [String: [String]] = [:]
        var issuer: String?
        var promisesIssuer = false
        var registrations = 0
    }

    public let flavour: Flavour
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// - Parameters:
    ///   - client: the id and secret that are known; Mastodon's come by registration.
    ///   - now: what tokens end by.
    public init(
        _ flavour: Flavour, client: String = "client-1", clientSecret: String = "hush-client-secret",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.flavour = flavour
        self.now = now
        state = Mutex(
            State(
                lifetime: flavour == .x ? 7200 : 3599,
                clients: flavour == .mastodon ? [:] : [client: flavour == .google ? clientSecret : ""]))
    }

    // MARK: what a test sets and sees

    public func decide(_ decision: Decision) { state.withLock { $0.decision = decision } }
    /// The only addresses to which answers for a client go from now on. At Mastodon they come with the registration.
    public func answer(_ client: String, onlyAt redirects: [String]) {
        state.withLock { $0.redirects[client] = redirects }
    }
    /// What it calls itself in its answers from now on (`iss`, RFC 9207); nil: nothing.
    ///
    /// - Parameter promises: Mastodon's metadata say that each answer has it.
    public func name(_ issuer: String?, promises: Bool = false) {
        state.withLock { ($0.issuer, $0.promisesIssuer) = (issuer, promises) }
    }
    /// How long tokens live from now on, in seconds.
    public func live(_ seconds: TimeInterval) { state.withLock { $0.lifetime = seconds } }
    /// Answers of the token endpoint instead of its own, each used once.
    public func fail(_ replies: [LoopbackServer.Reply]) { state.withLock { $0.faults += replies } }
    /// What polling a device code is answered, in turn; afterwards it is granted.
    public func answerDevice(_ errors: [String]) { state.withLock { $0.deviceAnswers = errors } }
    /// The owner of the account, or time, ends every sign-in.
    public func revokeAll() {
        state.withLock { state in
            state.access = [:]
            state.refresh = [:]
        }
    }
    /// Access tokens end now; refresh tokens do not.
    public func expireAll() { state.withLock { $0.access = [:] } }

    /// How many refresh requests came.
    public var refreshes: Int { state.withLock { $0.refreshes } }
    public var registrations: Int { state.withLock { $0.registrations } }
    /// Whether the last page was asked to ask for the account again.
    public var wasForced: Bool { state.withLock { $0.forced } }
    /// Every code, token, verifier and client secret that was ever on the wire.
    public var secrets: [String] { state.withLock { $0.secrets } }
    public var isSignedOut: Bool { state.withLock { $0.access.isEmpty && $0.refresh.isEmpty } }

    /// A sign-in that came about earlier.
    public func grant(scope: String = "everything") -> (access: String, refresh: String) {
        state.withLock { issue(scope: scope, &$0) }
    }

    /// Whether a request carries a token that is good.
    public func accepts(_ request: LoopbackServer.Request) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return false }
        let token = String(header.dropFirst(7))
        return state.withLock { state in state.access[token].map { $0.expires > now() } ?? false }
    }

    /// Whether a request's token holds a scope, or everything.
    public func allows(_ scope: String, _ request: LoopbackServer.Request) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return false }
        let token = String(header.dropFirst(7))
        return state.withLock { state in
            guard let granted = state.access[token]?.scope else { return false }
            return granted == "everything" || granted.split(separator: " ").contains { $0 == scope }
        }
    }

    // MARK: the service

    /// The reply, if the request is for a sign-in.
    public func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply? {
        switch (flavour, request.method, request.path) {
        case (.google, "GET", "/o/oauth2/v2/auth"), (.x, "GET", "/i/oauth2/authorize"),
            (.mastodon, "GET", "/oauth/authorize"):
            page(request)
        case (.google, "POST", "/token"), (.x, "POST", "/2/oauth2/token"), (.mastodon, "POST", "/oauth/token"):
            token(request)
        case (.google, "POST", "/revoke"), (.x, "POST", "/2/oauth2/revoke"), (.mastodon, "POST", "/oauth/revoke"):
            revoke(request)
        case (.google, "POST", "/device/code"): device(request)
        case (.mastodon, "POST", "/api/v1/apps"): register(request)
        case (.mastodon, "GET", "/.well-known/oauth-authorization-server"): metadata(request)
        default: nil
        }
    }

    private func page(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let query = request.query
        guard let redirect = query["redirect_uri"], let target = WebAddress(redirect), let client = query["client_id"],
            state.withLock({ $0.clients[client] != nil && $0.redirects[client]?.contains(redirect) ?? true }),
            query["response_type"] == "code",
            query["code_challenge_method"] == "S256", let challenge = query["code_challenge"], challenge.count == 43
        else { return .json(400, #"{"error":"invalid_request"}"#) }
        let fields: [(name: String, value: String)] = state.withLock { state in
            let issuer: [(name: String, value: String)] = state.issuer.map { [("iss", $0)] } ?? []
            state.forced = query["prompt"]?.contains("select_account") == true || query["force_login"] == "true"
            var scope = query["scope"] ?? ""
            switch state.decision {
            case .deny: return [("error", "access_denied"), ("state", query["state"] ?? "")] + issuer
            case .allow: break
            case .allowWithout(let one):
                scope = scope.split(separator: " ").filter { $0 != one }.joined(separator: " ")
            }
            let code = "code-\(RandomName(length: 20))"
            state.secrets.append(code)
            state.codes[code] = Code(challenge: challenge, redirect: redirect, client: client, scope: scope)
            return [("code", code), ("state", query["state"] ?? ""), ("scope", scope)] + issuer
        }
        let separator = target.query == nil ? "?" : "&"
        return LoopbackServer.Reply(
            302, headers: [("Location", target.text + separator + PercentEncoding.form(fields))])
    }

    private func metadata(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let promises = state.withLock { $0.promisesIssuer }
        guard promises else { return .json(404, "{}") }
        let base = "http://\(request.headers["Host"] ?? "")/"
        return .json(
            200, #"{"issuer":"\#(base)","authorization_response_iss_parameter_supported":true}"#)
    }

    private func token(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let form = request.form
        return state.withLock { state in
            if form["grant_type"] == "refresh_token" { state.refreshes += 1 }
            if !state.faults.isEmpty { return state.faults.removeFirst() }
            guard isKnown(request, state) else { return .json(401, #"{"error":"invalid_client"}"#) }
            switch form["grant_type"] {
            case "authorization_code": return redeem(form, &state)
            case "refresh_token": return refresh(form, &state)
            case "urn:ietf:params:oauth:grant-type:device_code": return poll(form, &state)
            default: return .json(400, #"{"error":"unsupported_grant_type"}"#)
            }
        }
    }

    private func redeem(_ form: [String: String], _ state: inout State) -> LoopbackServer.Reply {
        let verifier = form["code_verifier"] ?? ""
        state.secrets.append(verifier)
        guard let code = form["code"].flatMap({ state.codes.removeValue(forKey: $0) }),
            code.redirect == form["redirect_uri"], Self.challenge(verifier) == code.challenge
        else { return .json(400, #"{"error":"invalid_grant","error_description":"Malformed auth code."}"#) }
        return granted(scope: code.scope, withRefresh: true, &state)
    }

    private func refresh(_ form: [String: String], _ state: inout State) -> LoopbackServer.Reply {
        guard let token = form["refresh_token"], let scope = state.refresh[token] else {
            return flavour == .x
                ? .json(
                    400,
                    #"{"error":"invalid_request","error_description":"Value passed for the token was invalid."}"#)
                : .json(
                    400, #"{"error":"invalid_grant","error_description":"Token has been expired or revoked."}"#)
        }
        if flavour == .x { state.refresh[token] = nil }  // single use
        return granted(scope: scope, withRefresh: flavour == .x, &state)
    }

    private func poll(_ form: [String: String], _ state: inout State) -> LoopbackServer.Reply {
        guard let code = form["device_code"], let known = state.codes[code] else {
            return .json(400, #"{"error":"invalid_grant"}"#)
        }
        guard state.deviceAnswers.isEmpty else {
            let error = state.deviceAnswers.removeFirst()
            return .json(error == "authorization_pending" ? 428 : 403, #"{"error":"\#(error)"}"#)
        }
        state.codes[code] = nil
        return granted(scope: known.scope, withRefresh: true, &state)
    }

    private func granted(scope: String, withRefresh: Bool, _ state: inout State) -> LoopbackServer.Reply {
        let tokens = issue(scope: scope, &state)
        var fields = [#""access_token":"\#(tokens.access)""#, #""token_type":"bearer""#, #""scope":"\#(scope)""#]
        if flavour == .mastodon {
            fields.append(#""created_at":1795000000"#)
        } else {
            fields.append(#""expires_in":\#(Int(state.lifetime))"#)
            if withRefresh { fields.append(#""refresh_token":"\#(tokens.refresh)""#) }
        }
        return .json(200, "{" + fields.joined(separator: ",") + "}")
    }

    private func issue(scope: String, _ state: inout State) -> (access: String, refresh: String) {
        let tokens = ("at-\(RandomName(length: 24))", "rt-\(RandomName(length: 24))")
        state.secrets += [tokens.0, tokens.1]
        let lifetime = flavour == .mastodon ? 1e9 : state.lifetime
        state.access[tokens.0] = Grant(scope: scope, expires: now().addingTimeInterval(lifetime))
        if flavour != .mastodon { state.refresh[tokens.1] = scope }
        return tokens
    }

    private func revoke(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        state.withLock { state in
            let token = request.form["token"] ?? ""
            let isKnown = state.access[token] != nil || state.refresh[token] != nil
            if flavour == .google, isKnown {
                state.access = [:]
                state.refresh = [:]
            }
            state.access[token] = nil
            state.refresh[token] = nil
            return isKnown || flavour == .mastodon ? .json(200, "{}") : .json(400, #"{"error":"invalid_token"}"#)
        }
    }

    private func device(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        guard let client = request.form["client_id"], state.withLock({ $0.clients[client] != nil }) else {
            return .json(401, #"{"error":"invalid_client"}"#)
        }
        guard request.form["scope"] == "https://www.googleapis.com/auth/drive.file" else {
            return .json(400, #"{"error":"invalid_scope","error_description":"Invalid device flow scope"}"#)
        }
        let code = "device-\(RandomName(length: 20))"
        state.withLock { state in
            state.secrets.append(code)
            state.codes[code] = Code(
                challenge: "", redirect: "", client: client, scope: request.form["scope"] ?? "")
        }
        return .json(
            200,
            #"{"device_code":"\#(code)","user_code":"GQVQ-JKEC","verification_url":"https://www.google.com/device","#
                + #""expires_in":300,"interval":5}"#)
    }

    private func register(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        guard request.form["client_name"]?.isEmpty == false, request.form["redirect_uris"]?.isEmpty == false else {
            return .json(422, #"{"error":"Validation failed: Redirect URI is required"}"#)
        }
        return state.withLock { state in
            state.registrations += 1
            let (id, secret) = ("app-\(state.registrations)", "app-secret-\(RandomName(length: 12))")
            state.clients[id] = secret
            state.redirects[id] = (request.form["redirect_uris"] ?? "").split(whereSeparator: \.isWhitespace)
                .map(String.init)
            state.secrets.append(secret)
            return .json(200, #"{"id":"1","name":"Chirp","client_id":"\#(id)","client_secret":"\#(secret)"}"#)
        }
    }

    private func isKnown(_ request: LoopbackServer.Request, _ state: State) -> Bool {
        guard let client = request.form["client_id"], let secret = state.clients[client] else { return false }
        return secret.isEmpty || request.form["client_secret"] == secret
    }

    private static func challenge(_ verifier: String) -> String {
        Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
