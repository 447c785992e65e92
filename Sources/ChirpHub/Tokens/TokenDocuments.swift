internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// A program as Mastodon describes one (docs.joinmastodon.org/entities/Application).
struct AppDocument: Encodable {
    let id: String
    let name: String
    let website: String?
    let scopes: [String]
    let redirect_uri: String
    let redirect_uris: [String]
    let vapid_key = ""
    /// Only in the answer to the registration, like what follows.
    let client_id: String?
    let client_secret: String?
    /// It does not end.
    let client_secret_expires_at: Int?

    init(_ app: ClientApp, secret: OpaqueToken?) {
        id = app.id
        name = app.name
        website = app.website.isEmpty ? nil : app.website
        scopes = Scopes(app.scopes).names.sorted()
        redirect_uris = app.redirects.map(\.text)
        redirect_uri = redirect_uris.joined(separator: "\n")
        client_id = secret.map { _ in app.id }
        client_secret = secret?.secret.reveal()
        client_secret_expires_at = secret.map { _ in 0 }
    }
}

/// A token as RFC 6749, section 5.1, has it, and the instant that Mastodon adds.
struct TokenDocument: Encodable {
    let access_token: String
    let token_type = "Bearer"
    let scope: String
    let created_at: Int64
    let expires_in: Int64?

    init(_ issued: IssuedToken) {
        access_token = issued.token.secret.reveal()
        scope = issued.scopes
        created_at = issued.created
        expires_in = issued.lifetime
    }
}

/// Where programs get tokens, and by which of the standard's ways (RFC 8414).
struct OAuthMetadata: Encodable {
    let issuer: String
    let authorization_endpoint: String
    let token_endpoint: String
    let revocation_endpoint: String
    /// Mastodon's own.
    let app_registration_endpoint: String
    let scopes_supported = Scopes.known.sorted()
    let response_types_supported = ["code"]
    let response_modes_supported = ["query"]
    let grant_types_supported = ["authorization_code", "client_credentials"]
    let token_endpoint_auth_methods_supported = ["client_secret_basic", "client_secret_post", "none"]
    let revocation_endpoint_auth_methods_supported = ["client_secret_basic", "client_secret_post", "none"]
    let code_challenge_methods_supported = ["S256"]

    init(_ links: HubLinks) {
        issuer = links.publicURL
        authorization_endpoint = "\(links.publicURL)/oauth/authorize"
        token_endpoint = "\(links.publicURL)/oauth/token"
        revocation_endpoint = "\(links.publicURL)/oauth/revoke"
        app_registration_endpoint = "\(links.publicURL)/api/v1/apps"
    }
}
