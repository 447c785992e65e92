import ChirpAccounts
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What the password confirms, of an account that has none: a browser goes on without, a program never does.
@Suite struct ConfirmationTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }

    init() throws { cast = HubCast(house: try HubHousehold()) }

    private struct Act: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let json: String
        let done: HTTPResponse.Status
    }

    private static let base = "/api/hub/v1/account"
    private static let acts = [
        Act(method: .post, path: "\(base)/export", json: "{}", done: .ok),
        Act(method: .put, path: "\(base)/mail", json: #"{"mail":"thief@example.net"}"#, done: .accepted),
        Act(method: .put, path: "\(base)/handle", json: #"{"handle":"thief"}"#, done: .noContent),
        Act(
            method: .put, path: "\(base)/password", json: #"{"newPassword":"thievish horse battery"}"#, done: .noContent
        ),
        Act(method: .delete, path: base, json: "{}", done: .noContent),
    ]

    /// The same acts, and others that no program does, as forms of pages.
    private static let forms: [(path: String, fields: [(name: String, value: String)])] = [
        ("/settings/export", []), ("/settings/account/mail", [("email", "thief@example.net")]),
        ("/settings/account/handle", [("username", "thief")]),
        ("/settings/account/password", [("new-password", "thievish horse battery")]), ("/settings/delete", []),
        ("/settings/account/authenticator", [("key", String(repeating: "A", count: 32)), ("code", "000000")]),
        ("/settings/account/authenticator/off", []), ("/settings/account/passkeys", [("name", "thief")]),
        ("/settings/account/passkeys/removal", [("id", "1")]),
        ("/settings/account/identities/link", [("service", "oidc")]),
        ("/settings/account/identities/unlink", [("id", "1")]),
    ]

    /// All that could have changed.
    private func state() async throws -> [String] {
        try await house.texts(
            """
            SELECT id || ' ' || handle || ' ' || COALESCE(mail, '') || ' ' || COALESCE(password, 'none') || ' '
                || COALESCE(hex(totp), '') || ' ' || state || ' ' || role FROM accounts ORDER BY id
            """)
            + house.texts("SELECT 'link ' || purpose FROM links ORDER BY purpose")
            + house.texts("SELECT 'passkey ' || id FROM passkeys ORDER BY id")
            + house.texts("SELECT 'identity ' || account FROM identities ORDER BY account")
    }

    /// Somebody who came by a service or, for the owner, by a link.
    private func forgetPassword(of handle: String, role: String = "member") async throws {
        try await house.change("UPDATE accounts SET password = NULL, role = '\(role)' WHERE handle = '\(handle)'")
    }

    @Test func `each address for programs that asks for the password is driven here`() throws {
        let asking = try house.application(cast.settings()).declaredRoutes().filter { route in
            guard case .programs = route.audience, route.access != .everybody else { return false }
            return route.takes.contains { $0.name == "password" }
        }
        #expect(
            Set(asking.map { "\($0.method) \($0.path)" }) == Set(Self.acts.map { "\($0.method) \($0.path)" }))
    }

    @Test(arguments: ["owner", "member"])
    func `a token confirms nothing of an account without a password`(role: String) async throws {
        let ann = try await cast.member("ann")
        let tokens = [
            try await cast.token(of: ann), try await cast.token(of: ann, "write:accounts"),
            try await cast.token(of: ann, "read"),
        ]
        try await forgetPassword(of: "ann", role: role)
        let before = try await state()
        try await house.application(cast.settings()).application().test(.router) { client in
            for (number, token) in tokens.enumerated() {
                for act in Self.acts {
                    // An empty password, and one that is guessed, are as good as none.
                    for typed in ["", #""password":"","#, #""password":"a guess","#] {
                        let json = act.json == "{}" ? "{\(typed.dropLast())}" : "{\(typed)\(act.json.dropFirst())"
                        let answer = try await client.send(act.method, act.path, json: json, token: token)
                        #expect(answer.status == .forbidden, "\(act.method) \(act.path) \(json)")
                        let type = try answer.facts["type"] as? String
                        if number == 0 { #expect(type?.hasSuffix("/problems/no-password") == true, "\(act.path)") }
                    }
                }
                for form in Self.forms {
                    let answer = try await client.send(
                        .post, form.path, form.fields, [.authorization: "Bearer \(token)"])
                    #expect(answer.status.kind == .clientError, "\(form.path)")
                }
            }
            #expect(try await state() == before)
        }
    }

    @Test func `a browser goes on without a password where the account has none`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            for (act, handle) in zip(Self.acts, ["ada", "bea", "cleo", "dora", "eve"]) {
                try await cast.member(handle)
                let browser = try await cast.browser(of: handle, client)
                try await forgetPassword(of: handle)
                let before = try await state()
                #expect(try await browser.call(act.method, act.path, act.json).status == act.done, "\(act.path)")
                // All but the archive leave something.
                #expect(try await (state() == before) == (act.done == .ok), "\(act.path)")
            }
            for (form, handle) in zip(Self.forms, ["finn", "gus", "hal", "ida", "jon"]) {
                try await cast.member(handle)
                let browser = try await cast.browser(of: handle, client)
                try await forgetPassword(of: handle)
                let token = try await browser.hidden(on: "/settings/profile").filter { $0.name == "token" }
                let fields = form.fields.map {
                    (name: $0.name, value: $0.value.replacing("thief", with: "new_\(handle)"))
                }
                let answer = try await browser.post(form.path, token + fields)
                #expect([.ok, .seeOther].contains(answer.status), "\(form.path)")
            }
        }
    }

    @Test func `who has a password set on the page confirms with it by a token`() async throws {
        let ann = try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            try await forgetPassword(of: "ann")
            let new = "third horse battery"
            #expect(
                try await browser.submit(
                    "/settings/account", to: "/settings/account/password", [("new-password", new)]
                ).status == .seeOther)
            let token = try await cast.token(of: ann, "write:accounts")
            func rename(_ password: String) async throws -> HTTPResponse.Status {
                try await client.send(
                    .put, "\(Self.base)/handle", json: #"{"handle":"anna","password":"\#(password)"}"#, token: token
                ).status
            }
            #expect(try await rename("not the password") == .unprocessableContent)
            #expect(try await rename(new) == .noContent)
        }
    }
}
