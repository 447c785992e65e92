import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Somebody who is signed in, and whose page's script asks the API: with the session, and the form's token in a header.
struct Member<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let visitor: Visitor<Responder>
    private let token: String

    private static var password: String { "correct horse battery" }

    /// Signs somebody up, confirms, and signs in.
    init(_ name: String, at house: HubHousehold, _ client: RouterClient<Responder>) async throws {
        let accounts = house.accounts
        let letter = try await accounts.signUp(
            handle: try Handle(typed: name), mail: try MailAddress(typed: "\(name)@example.org"),
            password: Secret(Self.password), registration: .open)
        guard case .confirm(_, let link) = letter else { throw CancellationError() }
        _ = try await accounts.confirm(link.token)
        visitor = Visitor(client)
        _ = try await visitor.submit("/signin", [("username", name), ("password", Self.password)])
        let page = try await visitor.get("/settings/profile").text
        token = try #require(Visitor<Responder>.hidden(in: page).first { $0.name == "token" }?.value)
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], _ body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await visitor.send(method, path, headers.merging(proof), body)
    }

    /// What the browser sends along.
    var proof: HTTPFields {
        get throws { [try #require(HTTPField.Name("X-Chirp-Form")): token] }
    }

    /// The cookies, for requests that go another way.
    var cookies: String { visitor.allCookies }
}

extension HTTPFields {
    func merging(_ others: HTTPFields) -> HTTPFields {
        var all = self
        for field in others { all[field.name] = field.value }
        return all
    }
}
