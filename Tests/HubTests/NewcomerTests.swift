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

/// From "Sign up" to the first recording: who confirms in the same browser is signed in (CH-24).
@Suite struct NewcomerTests {
    private let house: HubHousehold
    private static let password = "correct horse battery"

    init() throws { house = try HubHousehold() }

    private func settings() throws -> HubSettings { try HubHousehold.settings(.open) }

    private func signUp<R>(_ visitor: Visitor<R>, _ name: String, mail: String? = nil) async throws -> TestResponse {
        let mail = mail ?? "\(name)@example.org"
        return try await visitor.submit(
            "/signup", [("email", mail), ("username", name), ("password", Self.password)])
    }

    /// The paths of the links that confirm an address, the newest last.
    private func links(to mail: String) throws -> [String] {
        let folder = house.folder.path("hub/mail")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let letters = try names.map { name -> (date: Date, text: String) in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return (
                facts[.modificationDate] as? Date ?? .distantPast,
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            )
        }
        return letters.filter { $0.text.contains("To: \(mail)\r\n") }.sorted { $0.date < $1.date }.compactMap {
            $0.text.split(separator: "\r\n").first { $0.contains("/confirm?token=") }
        }.map { String($0.dropFirst(HubHousehold.publicURL.count)) }
    }

    @Test func `who confirms in the browser that signed up is signed in and goes to the first recording`() async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            #expect(try await signUp(ann, "ann").status == .ok)
            let path = try #require(try links(to: "ann@example.org").last)
            let answer = try await ann.submit(path)
            #expect(answer.status == .seeOther && answer.location == "/record?welcome=1")
            #expect(answer.headers[.cacheControl] == "no-store" && answer.text.contains("confirmed"))
            #expect(ann.has("session") && !ann.has("newcomer"))
            #expect(try await ann.get("/settings").text.contains("@ann"))
            // Once: the link is used up, for this browser too.
            #expect(try await ann.submit(path).status == .unprocessableContent)
            // The page of signing in is there for whoever asks for it, and leaves one session.
            let form = try await ann.get("/signin")
            #expect(form.status == .ok && form.text.contains("current-password") && form.text.contains("@ann"))
            let again = try await ann.submit("/signin", [("username", "ann"), ("password", Self.password)])
            #expect(again.status == .seeOther)
            let sessions = try await ann.get("/settings/sessions").text
            #expect(sessions.matches(of: #/action="[^"]*sessions\/end"/#).count == 1)
        }
    }

    @Test func `another browser confirms the address and is signed in nowhere`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, telephone) = (Visitor(client), Visitor(client))
            _ = try await signUp(ann, "ann")
            let path = try #require(try links(to: "ann@example.org").last)
            // A program that looks through mail opens the page, with any cookies.
            #expect(try await telephone.get(path).status == .ok)
            let answer = try await telephone.submit(path)
            #expect(answer.status == .ok && answer.text.contains("confirmed") && !telephone.has("session"))
            #expect(try await ann.get("/settings").status == .seeOther)
        }
    }

    @Test func `whoever signed up with the address of another person is out once that person confirms it`() async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let (eve, other, ann) = (Visitor(client), Visitor(client), Visitor(client))
            _ = try await signUp(eve, "ann")
            for visitor in [eve, other] {
                let entry = try await visitor.submit("/signin", [("username", "ann"), ("password", Self.password)])
                #expect(entry.status == .seeOther && visitor.has("session"))
            }
            let answer = try await ann.submit(try #require(try links(to: "ann@example.org").last))
            #expect(answer.status == .ok && answer.text.contains("/reset\"") && answer.text.contains("did not choose"))
            for visitor in [eve, other] { #expect(try await visitor.get("/settings").status == .seeOther) }
        }
    }

    @Test func `a session of another browser ends too when the one that signed up confirms, which is signed in`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, other) = (Visitor(client), Visitor(client))
            _ = try await signUp(ann, "ann")
            _ = try await other.submit("/signin", [("username", "ann"), ("password", Self.password)])
            let answer = try await ann.submit(try #require(try links(to: "ann@example.org").last))
            #expect(answer.status == .seeOther)
            #expect(try await ann.get("/settings").status == .ok)
            #expect(try await other.get("/settings").status == .seeOther)
        }
    }

    @Test func `a browser that signed somebody else up is not signed in by her link`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob) = (Visitor(client), Visitor(client))
            _ = try await signUp(ann, "ann")
            let path = try #require(try links(to: "ann@example.org").last)
            _ = try await signUp(bob, "bob")
            let answer = try await bob.submit(path)
            #expect(answer.status == .ok && !bob.has("session"))
        }
    }

    @Test func `a proof that the browser has made up is none`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, eve) = (Visitor(client), Visitor(client))
            _ = try await signUp(ann, "ann")
            let path = try #require(try links(to: "ann@example.org").last)
            let hidden = type(of: eve).hidden(in: try await eve.get(path).text)
            let visit = try #require(eve.cookie("visit"))
            let made = "\(String(repeating: "a", count: 32)).\(String(repeating: "b", count: 43))"
            let answer = try await eve.post(
                "/confirm", hidden, [.cookie: "__Host-visit=\(visit); __Host-newcomer=\(made)"])
            #expect(answer.status == .ok && !eve.has("session"))
        }
    }

    @Test func `an address that is known gives the same cookie, which proves nothing`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, eve) = (Visitor(client), Visitor(client))
            _ = try await signUp(ann, "ann")
            let path = try #require(try links(to: "ann@example.org").last)
            _ = try await signUp(eve, "eve", mail: "ann@example.org")
            let proofs = (try #require(ann.cookie("newcomer")), try #require(eve.cookie("newcomer")))
            #expect(proofs.0.utf8.count == proofs.1.utf8.count)
            let answer = try await eve.submit(path)
            #expect(answer.status == .ok && !eve.has("session"))
        }
    }

    @Test func `the link of another address signs nobody in`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await ann.join("ann", house)
            let change = try await ann.submit(
                "/settings/account/mail", [("email", "new@example.org"), ("password", Self.password)])
            #expect(change.status == .ok)
            let path = try #require(try links(to: "new@example.org").last)
            _ = try await ann.submit("/signout")
            let answer = try await ann.submit(path)
            #expect(answer.status == .ok && !ann.has("session"))
        }
    }
}
