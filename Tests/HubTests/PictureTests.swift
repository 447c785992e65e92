import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import NIOCore
import Testing

/// The picture of a profile, sent by a form and shown to everybody.
@Suite struct PictureTests {
    private let house: HubHousehold
    private let accounts: Accounts
    private static let password = "correct horse battery"
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]

    init() throws {
        house = try HubHousehold()
        accounts = house.accounts
    }

    private func hub() throws -> HubApplication {
        try HubApplication(
            settings: HubSettings(HubAddress(port: 0, publicURL: HubHousehold.publicURL)), library: house.library,
            logger: HubHousehold.logger,
            pictures: PictureIntake { bytes throws(PictureIntake.Refusal) in
                guard bytes == Array("a picture".utf8) else { throw PictureIntake.Refusal("it is none") }
                return Self.jpeg
            })
    }

    private func signUp() async throws {
        let letter = try await accounts.signUp(
            handle: Handle(typed: "ann"), mail: MailAddress(typed: "ann@example.org"),
            password: Secret(Self.password), registration: .open)
        guard case .confirm(_, let link) = letter else { throw Unexpected() }
        _ = try await accounts.confirm(link.token)
    }

    /// Sends a file as the browser of somebody.
    private func send<R>(
        _ file: String, by visitor: Visitor<R>, _ client: RouterClient<R>, token: String? = nil
    ) async throws -> TestResponse {
        let page = try await visitor.get("/settings/profile/picture").text
        let found = page.firstMatch(of: #/name="token" value="([^"]*)"/#).map { String($0.1) }
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(token ?? found ?? "")\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a\"\r\n\r\n\(file)\r\n--b--\r\n"
        let cookies = ["session", "visit"].map { "__Host-\($0)=\(visitor.cookie($0) ?? "")" }
        return try await client.execute(
            uri: "/settings/profile/picture", method: .post,
            headers: [
                .contentType: "multipart/form-data; boundary=b", .cookie: cookies.joined(separator: "; "),
            ], body: ByteBuffer(string: body))
    }

    @Test func `a picture is sent, shown, known by its tag, and taken away`() async throws {
        try await signUp()
        try await hub().application().test(.router) { client in
            let ann = Visitor(client)
            _ = try await ann.submit("/signin", [("username", "ann"), ("password", Self.password)])
            #expect(try await ann.get("/@ann/picture").status == .notFound)
            #expect(try await send("a picture", by: ann, client).status == .seeOther)
            let shown = try await Visitor(client).get("/@ann/picture")
            #expect(shown.status == .ok && shown.headers[.contentType] == "image/jpeg")
            #expect(Array(buffer: shown.body) == Self.jpeg)
            let tag = try #require(shown.headers[.eTag])
            #expect(try await ann.get("/@ann/picture", [.ifNoneMatch: tag]).status == .notModified)
            let removed = try await ann.submit("/settings/profile/picture", to: "/settings/profile/picture/remove")
            #expect(removed.status == .seeOther)
            #expect(try await ann.get("/@ann/picture").status == .notFound)
        }
    }

    @Test func `what is no picture changes nothing, and a forged form is refused`() async throws {
        try await signUp()
        try await hub().application().test(.router) { client in
            let ann = Visitor(client)
            _ = try await ann.submit("/signin", [("username", "ann"), ("password", Self.password)])
            #expect(try await send("a picture", by: ann, client).status == .seeOther)
            let refused = try await send("<svg>", by: ann, client)
            #expect(refused.status == .unprocessableContent && refused.text.contains("it is none"))
            #expect(try await send("", by: ann, client).status == .unprocessableContent)
            #expect(try await send("a picture", by: ann, client, token: "made up").status == .forbidden)
            #expect(try await send("a picture", by: Visitor(client), client).status == .unauthorized)
            #expect(try await ann.get("/@ann/picture").status == .ok)
        }
    }

    struct Unexpected: Error {}
}
