internal import ChirpCore
public import ChirpHTTP
public import ChirpOAuth

/// Chirp's registration at an instance, which every instance wants once (`POST /api/v1/apps`).
public enum MastodonRegistration {
    private struct Answer: Decodable {
        let client_id: String
        let client_secret: String
    }

    /// - Parameters:
    ///   - service: the name and the title of what is signed in to; an instance's own, or those of a hub.
    ///   - scopes: what the sign-in will ask for.
    ///   - redirect: the loopback address that the browser comes back to, port included.
    ///   - transport: without sign-in.
    /// - Returns: a credential with the registration and without tokens.
    public static func run(
        at instance: WebAddress, service: (name: String, title: String) = ("mastodon", "Mastodon"),
        scopes: [String] = OAuthService.mastodonScopes, redirect: String, transport: any HTTPTransport
    ) async throws(SignInError) -> Credential {
        let fields: [(name: String, value: String)] = [
            ("client_name", "Chirp"), ("redirect_uris", redirect),
            ("scopes", scopes.joined(separator: " ")),
        ]
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(
                HTTPRequest(
                    .post, instance.appending("api", "v1", "apps"),
                    headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: .text(PercentEncoding.form(fields)), isRepeatable: true))
        } catch {
            throw .http(error)
        }
        guard response.isSuccess, let answer = response.json(Answer.self) else {
            if (500...599).contains(response.status) || response.status == 429 {
                throw .http(.interrupted(host: instance.host, reason: "it answered \(response.status)"))
            }
            throw .refused(
                service: service.name, title: service.title,
                detail: "\(instance.host) does not register programs as Mastodon does (status \(response.status))")
        }
        var credential = Credential()
        credential.instance = instance.origin
        credential.clientID = answer.client_id
        credential.clientSecret = Secret(answer.client_secret)
        credential.redirect = redirect
        return credential
    }
}
