public import ChirpCore
public import ChirpHTTP

/// One service that people sign in to by OAuth 2.0 (RFC 6749), with what is peculiar to it.
public struct OAuthService: Sendable {
    /// How the client says who it is at the token endpoint (RFC 6749 section 2.3.1).
    enum ClientAuthentication: Sendable {
        /// As fields of the body.
        case fields
        /// By `Authorization: Basic`.
        case header
    }

    /// As in `chirp login NAME`, and its key in the credentials.
    public let name: String
    /// As people call it.
    public let title: String
    let authorization: WebAddress
    let token: WebAddress
    var device: WebAddress?
    let revocation: WebAddress
    /// As it calls itself in its answers, where it does.
    let issuer: AnswerIssuer
    let clientID: String
    let clientSecret: Secret?
    var clientAuthentication = ClientAuthentication.fields
    /// What is asked for.
    var scopes: [String]
    /// Without these the sign-in is of no use; people can untick some.
    var neededScopes: [String] = []
    /// Further fields for the authorization page.
    var usualFields: [(name: String, value: String)] = []
    /// Others instead, which make it ask for the account again (CH-1).
    var forceFields: [(name: String, value: String)] = []
    /// X says "invalid_request" of a dead refresh token, and what is invalid only in words; elsewhere it is `invalid_grant` alone.
    var wordsEndSignIn = false
    /// Whether a refresh token may be sent twice. Where it is single-use the first of two lost answers has used it up.
    var refreshIsRepeatable = true
    /// Why a refused refresh token is dead: a sentence without its full stop.
    var endedCause: String

    /// Google, for Drive (apis.md 1). The secret of an installed application is not really one, but has to be sent.
    public static func google(
        authorization: WebAddress, token: WebAddress, device: WebAddress, revocation: WebAddress, clientID: String,
        clientSecret: Secret?
    ) -> OAuthService {
        let file = "https://www.googleapis.com/auth/drive.file"
        var service = OAuthService(
            name: "drive", title: "Google Drive", authorization: authorization, token: token, revocation: revocation,
            clientID: clientID, clientSecret: clientSecret, scopes: [file],
            endedCause: "Google says that it has expired or was revoked; while the consent screen of your client is in "
                + "\"Testing\", sign-ins end after 7 days: set it to \"In production\"")
        service.device = device
        service.neededScopes = [file]
        // Consent is asked for each time: otherwise a repeated sign-in brings no refresh token.
        service.usualFields = [("prompt", "consent")]
        service.forceFields = [("prompt", "select_account consent")]
        return service
    }

    /// X (apis.md 3.2). With a secret the client is confidential, without one it is public.
    ///
    /// - Parameter api: the root of the API.
    public static func x(
        authorization: WebAddress, api: WebAddress, clientID: String, clientSecret: Secret? = nil
    ) -> OAuthService {
        var service = OAuthService(
            name: "x", title: "X", authorization: authorization, token: api.appending("2", "oauth2", "token"),
            revocation: api.appending("2", "oauth2", "revoke"), issuer: AnswerIssuer(origins: [authorization, api]),
            clientID: clientID, clientSecret: clientSecret,
            scopes: ["tweet.read", "tweet.write", "users.read", "follows.read", "dm.read", "offline.access"],
            endedCause: "X says that it has expired or was revoked")
        service.clientAuthentication = clientSecret == nil ? .fields : .header
        service.neededScopes = ["tweet.read", "tweet.write", "users.read"]
        service.forceFields = [("force_login", "true")]
        service.wordsEndSignIn = true
        service.refreshIsRepeatable = false
        return service
    }

    /// X for a screen that shows one person: it reads and does nothing else. Messages can be unticked.
    package static func xReading(
        authorization: WebAddress, api: WebAddress, clientID: String, clientSecret: Secret? = nil
    ) -> OAuthService {
        var service = x(authorization: authorization, api: api, clientID: clientID, clientSecret: clientSecret)
        service.scopes = ["tweet.read", "users.read", "follows.read", messagesOfX, "offline.access"]
        service.neededScopes = ["tweet.read", "users.read", "follows.read"]
        return service
    }

    /// What reading messages on X needs.
    package static let messagesOfX = "dm.read"

    /// A Mastodon instance at which Chirp is registered (apis.md 4.1). Tokens do not expire.
    public static func mastodon(instance: WebAddress, clientID: String, clientSecret: Secret) -> OAuthService {
        var service = OAuthService(
            name: "mastodon", title: "Mastodon", authorization: instance.appending("oauth", "authorize"),
            token: instance.appending("oauth", "token"), revocation: instance.appending("oauth", "revoke"),
            clientID: clientID, clientSecret: clientSecret, scopes: mastodonScopes,
            endedCause: "\(instance.host) no longer accepts it")
        service.neededScopes = ["write:statuses"]
        service.forceFields = [("force_login", "true")]
        return service
    }

    /// A hub on another machine at which Chirp is registered: it signs people in as Mastodon does.
    public static func hub(instance: WebAddress, clientID: String, clientSecret: Secret) -> OAuthService {
        var service = OAuthService(
            name: "hub", title: "the hub", authorization: instance.appending("oauth", "authorize"),
            token: instance.appending("oauth", "token"), revocation: instance.appending("oauth", "revoke"),
            clientID: clientID, clientSecret: clientSecret, scopes: hubScopes,
            endedCause: "\(instance.host) no longer accepts it")
        service.neededScopes = ["read", "write"]
        service.forceFields = [("force_login", "true")]
        return service
    }

    /// What publishing to a hub and listening to it need: clips and posts are written, timelines and ties read.
    public static let hubScopes = ["read", "write", "follow"]

    /// What posting to Mastodon and listening there need.
    public static let mastodonScopes = [
        "read:accounts", "read:statuses", "read:follows", "read:notifications", "write:statuses", "write:media",
    ]

    init(
        name: String, title: String, authorization: WebAddress, token: WebAddress, revocation: WebAddress,
        issuer: AnswerIssuer? = nil, clientID: String, clientSecret: Secret?, scopes: [String], endedCause: String
    ) {
        self.issuer = issuer ?? AnswerIssuer(origins: [authorization])
        self.name = name
        self.title = title
        self.authorization = authorization
        self.token = token
        self.revocation = revocation
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
        self.endedCause = endedCause
    }
}
