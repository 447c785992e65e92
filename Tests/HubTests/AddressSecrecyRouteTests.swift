import ChirpAccounts
import ChirpCore
import ChirpHub
import Crypto
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Whether an address has an account shows in no answer: every way of sending one is asked with every other field right and wrong, for an
/// address that is known, one that waits to be confirmed, one that is banned and one that nobody has. The time of an answer is measured in
/// what it costs, by `AddressSecrecyTests` of the accounts.
@Suite struct AddressSecrecyRouteTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let account = "/api/hub/v1/account"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// All have the same length.
    private static let addresses = ["known", "await", "banne", "nobod"]

    private static func mail(_ name: String) -> String { "\(name)@example.org" }

    /// A field, with whether it is right.
    private enum Handle: CaseIterable { case free, taken, alike, reserved, malformed, empty }
    private enum Password: CaseIterable { case good, short, long }
    private enum Invitation: CaseIterable { case works, ended, malformed, none }

    /// What of an answer can tell something.
    private struct Seen: Equatable, CustomStringConvertible {
        let status: Int
        let headers: [String]
        let body: String

        /// Values that are random are as long as others.
        init(_ answer: TestResponse, _ mail: String, hiding: [String]) {
            status = answer.status.code
            headers = answer.headers.filter { $0.name != .date }.map { field in
                guard field.name == .setCookie else { return "\(field.name): \(field.value)" }
                let parts = field.value.split(separator: ";", maxSplits: 1)
                let pair = parts[0].split(separator: "=", maxSplits: 1)
                return "set-cookie: \(pair[0]) of \(pair.count > 1 ? pair[1].count : 0); \(parts.last ?? "")"
            }.sorted()
            // The tokens of forms are random.
            var body = answer.text.replacing(#/value="[^"]{20,}"/#, with: "value").replacing(mail, with: "MAIL")
            for text in hiding where !text.isEmpty { body = body.replacing(text, with: "HIDDEN") }
            self.body = body
        }

        var description: String { "\(status) \(headers) \(body.prefix(2000))" }
    }

    private func prepare() async throws {
        try await cast.member("known")
        try await cast.member("await", isConfirmed: false)
        try await cast.ban(mail: Self.mail("banne"))
    }

    private func invitation(_ kind: Invitation) async throws -> String {
        switch kind {
        case .none: return ""
        case .malformed: return "no token"
        case .ended: return OpaqueToken().secret.reveal()
        case .works: return try await cast.accounts.invitation().token.secret.reveal()
        }
    }

    private static let letters: [Character] = ["b", "c", "d", "f", "g", "h", "k", "m", "n", "p"]

    private static func handle(_ kind: Handle, _ number: Int) -> String {
        switch kind {
        // Unlike each other, and of one length.
        case .free: "name\(String(String(1000 + number).map { letters[$0.wholeNumberValue ?? 0] }))"
        case .taken: "known"
        case .alike: "kn0wn"
        case .reserved: "admin"
        case .malformed: "a b"
        case .empty: ""
        }
    }

    private static func password(_ kind: Password) -> String {
        switch kind {
        case .good: HubCast.password
        case .short: "short"
        case .long: String(repeating: "x", count: 5000)
        }
    }

    @Test(arguments: [Registration.open, .invite, .closed])
    func `signing up answers the same whoever has the address, whatever else is wrong`(
        registration: Registration
    ) async throws {
        try await prepare()
        let invitations = registration == .invite ? Invitation.allCases : [.none]
        var (number, compared) = (0, 0)
        let hub = try house.application(cast.settings(registration, limitScale: 1000))
        try await hub.application().test(.router) { client in
            for kind in Handle.allCases {
                for password in Password.allCases {
                    for invitation in invitations {
                        var seen: [String: [Seen]] = [:]
                        for name in Self.addresses {
                            for isPage in [true, false] {
                                number += 1
                                let form = (
                                    handle: Self.handle(kind, number), mail: Self.mail(name),
                                    password: Self.password(password), invitation: try await self.invitation(invitation)
                                )
                                let answer = try await signUp(form, isPage: isPage, client)
                                seen[name, default: []].append(
                                    Seen(answer, form.mail, hiding: [form.handle, form.invitation]))
                                // So that nobody has the address next time either.
                                try await house.change(
                                    "DELETE FROM accounts WHERE state = 'unconfirmed' AND handle <> 'await'")
                            }
                        }
                        let expected = try #require(seen["nobod"])
                        for name in Self.addresses {
                            #expect(seen[name] == expected, "\(name), \(kind), \(password), \(invitation)")
                            compared += 2
                        }
                    }
                }
            }
        }
        #expect(compared == 6 * 3 * invitations.count * Self.addresses.count * 2)
    }

    private func signUp<R>(
        _ form: (handle: String, mail: String, password: String, invitation: String), isPage: Bool,
        _ client: RouterClient<R>
    ) async throws -> TestResponse {
        guard isPage else {
            let json = try JSONEncoder().encode([
                "handle": form.handle, "mail": form.mail, "password": form.password, "invitation": form.invitation,
            ])
            return try await client.send(.post, Self.account, json: String(decoding: json, as: UTF8.self))
        }
        let visitor = Visitor(client)
        // Where nobody may sign up there is no form: the token of another.
        let token = try await visitor.hidden(on: "/reset").filter { $0.name == "token" }
        return try await visitor.post(
            "/signup",
            token + [
                ("email", form.mail), ("username", form.handle), ("password", form.password),
                ("invitation", form.invitation),
            ])
    }

    @Test func `asking for a letter that sets a password, or for another address, answers the same`() async throws {
        try await prepare()
        let bob = try await cast.member("bob")
        let token = try await cast.token(of: bob)
        try await house.application(cast.settings(limitScale: 1000)).application().test(.router) { client in
            let browser = try await cast.browser(of: "bob", client)
            for isRight in [true, false] {
                let password = isRight ? HubCast.password : "wrong password!"
                var seen: [String: [Seen]] = [:]
                for name in Self.addresses {
                    let mail = Self.mail(name)
                    let json = "{\"mail\":\"\(mail)\",\"password\":\"\(password)\"}"
                    let visitor = Visitor(client)
                    let hidden = try await visitor.hidden(on: "/reset")
                    let own = try await browser.hidden(on: "/settings/account/mail")
                    seen[name] = [
                        Seen(try await visitor.post("/reset", hidden + [("email", mail)]), mail, hiding: []),
                        Seen(try await client.send(.post, "\(Self.account)/reset", json: json), mail, hiding: []),
                        Seen(
                            try await browser.post(
                                "/settings/account/mail", own + [("email", mail), ("password", password)]), mail,
                            hiding: []),
                        Seen(
                            try await client.send(.put, "\(Self.account)/mail", json: json, token: token), mail,
                            hiding: []),
                    ]
                }
                let expected = try #require(seen["nobod"])
                #expect(expected.map(\.status) == (isRight ? [200, 202, 200, 202] : [200, 202, 422, 422]))
                for name in Self.addresses { #expect(seen[name] == expected, "\(name)") }
            }
        }
    }
}

extension HubCast {
    /// Nobody may sign up with an address, as after a ban of who had it.
    func ban(mail: String) async throws {
        let digest = SHA256.hash(data: Data("banned mail:\(mail)".utf8)).map {
            let text = String($0, radix: 16)
            return text.count < 2 ? "0\(text)" : text
        }.joined()
        try await house.change("INSERT INTO bannedMails (hash) VALUES (x'\(digest)')")
    }
}
