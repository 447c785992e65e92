import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Pages and letters about accounts in the language of the visitor (UF-9, hub.md 3).
@Suite struct LanguagePageTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let german: HTTPFields = [.acceptLanguage: "de-AT,de;q=0.9,en;q=0.5"]

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// Letters whose fields say so, with their bodies decoded.
    private func letters(to mail: String) throws -> [(head: String, body: String)] {
        let folder = house.folder.path("hub/mail")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            .filter { $0.contains("To: \(mail)\r\n") }.map { text in
                let end = try #require(text.range(of: "\r\n\r\n"))
                let (head, body) = (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
                guard head.contains("base64") else { return (head, body) }
                let bytes = try #require(Data(base64Encoded: body, options: .ignoreUnknownCharacters))
                return (head, String(decoding: bytes, as: UTF8.self))
            }
    }

    @Test func `a page is German for who likes German best, and says so`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/signin", Self.german)
            #expect(page.text.contains("<html lang=\"de\"") && page.text.contains(">Anmelden</button>"))
            #expect(page.headers[.contentLanguage] == "de")
            #expect(try await visitor.get("/signin").text.contains(">Sign in</button>"))
        }
    }

    @Test func `what is wrong is told in the visitor's language, and to programs in English`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let fields = [("email", "ann@example.org"), ("username", "ann"), ("password", "short")]
            let page = try await visitor.submit("/signup", fields, Self.german)
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("Ein Passwort hat 10 bis 200 Zeichen"))
            #expect(try await visitor.submit("/signup", fields).text.contains("A password has 10 to 200 characters"))
            let problem = try await client.send(
                .post, "/api/hub/v1/account", [("mail", "ann@example.org"), ("handle", "ann"), ("password", "short")],
                Self.german)
            #expect(problem.text.contains("A password has 10 to 200 characters"))
        }
    }

    @Test func `a letter is in the language of the request that caused it`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            _ = try await Visitor(client).submit(
                "/signup", [("email", "ann@example.org"), ("username", "ann"), ("password", HubCast.password)],
                Self.german)
            let letter = try #require(try letters(to: "ann@example.org").first)
            #expect(letter.head.contains("Content-Language: de"))
            // "Adresse bestätigen" in a field of ASCII alone.
            let subject = Data("Adresse best\u{E4}tigen".utf8).base64EncodedString()
            #expect(letter.head.contains("Subject: =?utf-8?B?\(subject)?="))
            #expect(letter.body.contains("30 Minuten") && letter.body.contains("/confirm?token="))
            _ = try await Visitor(client).submit(
                "/signup", [("email", "bob@example.org"), ("username", "bob"), ("password", HubCast.password)])
            let other = try #require(try letters(to: "bob@example.org").first)
            #expect(other.head.contains("Subject: Confirm your address") && other.body.contains("30 minutes"))
        }
    }

    @Test func `a letter that somebody else causes is in the language of the last sign-in`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            try await cast.member("ann")
            let visitor = Visitor(client)
            _ = try await visitor.submit(
                "/signin", [("username", "ann"), ("password", HubCast.password)], Self.german)
            let account = try #require(try await cast.accounts.account(Handle(typed: "ann")))
            let export = try await house.library.export(of: account.id)
            let document = try #require(export.documents.first { $0.name == "account.json" })
            #expect(String(decoding: document.bytes, as: UTF8.self).contains("\"language\" : \"de\""))
        }
    }
}
