import ChirpCore
import ChirpHTTP
import Foundation
import LoopbackService

/// A Mastodon server that a person has named and that means harm, in one role of a sign-in; in the others it does as such servers do.
final class HostileMastodon: Sendable {
    /// Where it is hostile.
    enum Role: CaseIterable, Sendable {
        /// Sends the browser on to the honest server, for a code that comes to the honest one's callback.
        case authorization
        /// The same, for a code that comes to its own callback.
        case authorizationForItself
        /// Gives a token that the honest server has issued.
        case token
        /// Says that the person is one of the honest server.
        case userInfo
        /// Says that the honest server's issuer is its own, and that its addresses are in the hub's network.
        case metadata
        /// Registers the hub as what the honest server knows it as, and sends the browser there.
        case registration
        /// The same, for a code that comes to its own callback.
        case registrationForItself
    }

    /// What it knows of the honest server. None of it is secret, but the token, which is one that it was given by somebody.
    struct Target: Sendable {
        /// The page where people sign in.
        let page: String
        /// The hub, as the honest server knows it.
        let client: String
        /// Where the hub takes the honest server's answers.
        let redirect: String
        let issuer: String
        let person: String
        let token: String
        /// A server in the hub's network.
        let inside: String
    }

    let server: LoopbackServer
    var base: String { server.base }

    init(_ role: Role, _ target: Target) throws {
        server = try LoopbackServer { Self.reply(to: $0, role, target) }
    }

    /// Whether anything that came here holds one of some secrets.
    func hasHeard(_ secrets: [String]) -> Bool {
        server.requests.contains { request in
            let heard =
                [request.path, String(decoding: request.body, as: UTF8.self), request.headers["Authorization"] ?? ""]
                + request.query.values + request.form.values
            return secrets.contains { secret in !secret.isEmpty && heard.contains { $0.contains(secret) } }
        }
    }

    private static func reply(
        to request: LoopbackServer.Request, _ role: Role, _ target: Target
    ) -> LoopbackServer.Reply {
        switch (request.method, request.path) {
        case ("POST", "/api/v1/apps"):
            let isCopied = role == .registration || role == .registrationForItself
            let client = isCopied ? target.client : "hostile-app"
            return .json(200, #"{"client_id":"\#(client)","client_secret":"guessed"}"#)
        case ("GET", "/.well-known/oauth-authorization-server") where role == .metadata:
            return .json(
                200,
                #"{"issuer":"\#(target.issuer)","authorization_endpoint":"\#(target.page)","#
                    + #""token_endpoint":"\#(target.inside)/token","userinfo_endpoint":"\#(target.inside)/me","#
                    + #""registration_endpoint":"\#(target.inside)/apps","#
                    + #""authorization_response_iss_parameter_supported":true}"#)
        case ("GET", "/oauth/authorize"): return page(request.query, role, target)
        case ("POST", "/oauth/token"):
            return .json(200, #"{"access_token":"\#(role == .token ? target.token : "hostile-token")"}"#)
        case ("GET", "/api/v1/accounts/verify_credentials"):
            return role == .userInfo
                ? .json(
                    200,
                    #"{"id":"\#(target.person)","username":"ada","acct":"ada","#
                        + #""url":"\#(target.issuer)@ada","uri":"\#(target.issuer)"}"#
                ) : .json(200, #"{"id":"666","username":"eve","acct":"eve"}"#)
        case ("POST", "/oauth/revoke"): return .json(200, "{}")
        default: return .json(404, "{}")
        }
    }

    private static func page(_ asked: [String: String], _ role: Role, _ target: Target) -> LoopbackServer.Reply {
        var fields = asked
        var place = target.page
        switch role {
        case .authorization, .registration:
            (fields["client_id"], fields["redirect_uri"]) = (target.client, target.redirect)
        case .authorizationForItself, .registrationForItself: fields["client_id"] = target.client
        case .token, .userInfo, .metadata:
            place = asked["redirect_uri"] ?? ""
            fields = ["code": "hostile-code", "state": asked["state"] ?? ""]
            if role == .metadata { fields["iss"] = target.issuer }
        }
        // What an OpenID service wants besides.
        if fields["redirect_uri"] != nil { fields.merge(["scope": "openid", "nonce": "hostile-nonce"]) { $1 } }
        let form = PercentEncoding.form(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        return LoopbackServer.Reply(302, headers: [("Location", "\(place)?\(form)")])
    }
}
