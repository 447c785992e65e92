internal import ChirpCore
internal import FoundationEssentials

extension Credential {
    /// The tokens of a granted sign-in.
    ///
    /// - Parameter shownScope: what the browser brought along, for services that do not repeat it with the tokens.
    /// - Throws: why it is none.
    static func granted(
        _ reply: TokenEndpoint.Reply, by service: OAuthService, shownScope: String? = nil, now: Date
    ) throws(SignInError) -> Credential {
        guard reply.isGranted, let token = reply.answer.accessToken else {
            throw .refused(service: service.name, title: service.title, detail: reply.answer.refusal)
        }
        // Without a word on it everything was granted (RFC 6749 section 5.1).
        if let granted = reply.answer.scope ?? shownScope {
            let scopes = Set(granted.split { $0 == " " || $0 == "," }.map(String.init))
            // Mastodon's `write` holds `write:statuses`.
            let missing = service.neededScopes.first { needed in
                !scopes.contains(needed) && !scopes.contains(String(needed.prefix { $0 != ":" }))
            }
            if let missing { throw .scopeMissing(service: service.name, title: service.title, scope: missing) }
        }
        return Credential(
            accessToken: Secret(token), refreshToken: reply.answer.refreshToken.map { Secret($0) },
            expires: reply.answer.expiresIn.map { now.addingTimeInterval($0) })
    }
}
