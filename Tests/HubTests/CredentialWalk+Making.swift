import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

extension CredentialWalk {
    /// Makes a credential of an account.
    ///
    /// - Throws: where the hub does not make it.
    func make(_ credential: AccountCredential, of holder: inout Holder) async throws -> Trial {
        switch credential {
        case .password:
            let password = holder.password
            return { holder in
                var same = holder
                same.password = password
                return Self.opens(try await signIn(same))
            }
        case .secondFactor:
            holder.factor = try await switchOn(holder)
            return { holder in
                var without = holder
                without.factor = nil
                return try await signIn(without).text.contains("name=\"code\"")
            }
        case .session:
            let thief = try await cast.browser(of: holder.handle, client)
            return { _ in try await thief.get("/settings").status == .ok }
        case .token:
            let token = try await token(of: holder)
            return { _ in
                try await client.send(.get, "/api/v1/accounts/verify_credentials", token: token).status == .ok
            }
        case .code:
            let (program, code) = try await code(of: holder)
            return { _ in try await fetch(program, code).status == .ok }
        case .ownerLink:
            let link = try await ownerLink(of: holder)
            return { _ in Self.opens(try await post("/signin/owner", [("link", link)])) }
        case .resetLink:
            let letter = try await cast.accounts.requestReset(MailAddress(typed: "\(holder.handle)@example.org"))
            guard case .reset(_, let link) = letter else { throw HubCast.Unexpected() }
            let fields = [
                (name: "link", value: link.token.secret.reveal()), (name: "password", value: "third horse battery"),
            ]
            return { _ in try await post("/reset", fields).status == .ok }
        case .confirmLink:
            let link = holder.confirming.secret.reveal()
            return { _ in try await post("/confirm", [("link", link)]).status == .ok }
        case .appealLink:
            let link = try await appealLink(of: holder)
            return { _ in try await post("/signin/appeal", [("link", link), ("text", "x")]).location != "/signin" }
        case .pendingAddress:
            let link = try await pendingAddress(of: holder, "thief-of-\(holder.handle)@example.org")
            return { _ in try await post("/confirm", [("link", link)]).status == .ok }
        default: return try await makeMore(credential, of: &holder)
        }
    }

    private func makeMore(_ credential: AccountCredential, of holder: inout Holder) async throws -> Trial {
        switch credential {
        case .identity:
            let subject = try await link(holder)
            return { _ in
                service.be(subject)
                return Self.opens(try await come(Visitor(client)))
            }
        case .identityAttempt:
            service.be("attempt-\(holder.handle)")
            let away = try await beginLinking(holder)
            let back = try await wayBack(from: away)
            let browser = holder.browser
            return { holder in
                // Its session may have ended; whoever has the password begins another in the same browser.
                _ = try await signIn(holder, in: browser)
                return try await browser.get(back).location == Self.identities
            }
        case .identityArrival:
            let subject = try await link(holder)
            holder.factor = try await switchOn(holder)
            let thief = Visitor(client)
            service.be(subject)
            guard try await come(thief).location == "/signin/code" else { throw HubCast.Unexpected() }
            cast.house.wait(30)
            return { holder in
                let code = holder.factor?.code(atStep: OneTimeCode.step(at: cast.house.now)) ?? ""
                return Self.opens(try await thief.submit("/signin/code", [("code", code)]))
            }
        case .frame:
            let screen = Visitor(client)
            let pairing = try await screen.call(
                .post, "/api/hub/v1/frame/pairing", "{}", [.formToken: try await screen.frameForm()])
            let code = try #require(try pairing.facts["code"] as? String)
            let paired = try await holder.browser.submit("/settings/frames", [("code", code)])
            guard paired.status == .seeOther else { throw HubCast.Unexpected() }
            return { _ in try await isFrame(screen) }
        case .frameKey:
            let made = try await holder.browser.call(.post, "/api/hub/v1/frames/link")
            guard let address = try made.facts["address"] as? String else { throw HubCast.Unexpected() }
            let path = String(address.dropFirst(HubHousehold.publicURL.count))
            return { _ in
                let screen = Visitor(client)
                _ = try await screen.get(path)
                if !screen.has("frame") { _ = try await screen.submit(path) }
                return try await isFrame(screen)
            }
        case .feedAddress:
            let page = try await holder.browser.submit("/settings/privacy", to: "/settings/privacy/feed")
            guard let address = page.text.firstMatch(of: #/<code>([^<]+)</code>/#)?.1 else {
                throw HubCast.Unexpected()
            }
            let path = String(address.dropFirst(HubHousehold.publicURL.count))
            return { _ in try await client.send(.get, path).status == .ok }
        case .pushSubscription:
            let thief = try await cast.browser(of: holder.handle, client)
            let told = pushes.browser("\(holder.handle)-\(UUID().uuidString.prefix(6))")
            let made = try await thief.call(
                .post, "/api/hub/v1/push",
                #"{"endpoint": "\#(told.endpoint)", "p256dh": "\#(told.key)", "auth": "\#(told.secret)"}"#)
            guard made.status == .created else { throw HubCast.Unexpected() }
            return { _ in
                let rows = "SELECT id FROM pushSubscriptions WHERE endpoint = '\(told.endpoint)'"
                return try await !cast.house.texts(rows).isEmpty
            }
        case .passkey:
            let device = SoftAuthenticator()
            guard try await holder.browser.add(device, password: holder.password).status == .seeOther else {
                throw HubCast.Unexpected()
            }
            return { _ in Self.opens(try await Visitor(client).enter(by: device)) }
        case .passkeyChallenge:
            let asked = try await holder.browser.call(.post, "/api/hub/v1/account/passkeys/challenge")
            guard asked.status == .ok else { throw HubCast.Unexpected() }
            let rows = "SELECT hex(digest) FROM passkeyChallenges WHERE account = '\(holder.id)'"
            return { _ in try await !cast.house.texts(rows).isEmpty }
        case .knownBrowser:
            let counted = "SELECT CAST(epoch AS TEXT) FROM accounts WHERE id = '\(holder.id)'"
            let before = try await cast.house.texts(counted)
            return { _ in try await cast.house.texts(counted) == before }
        default: throw HubCast.Unexpected()
        }
    }

    private func isFrame(_ screen: Visitor<Responder>) async throws -> Bool {
        let answer = try await screen.get("/api/hub/v1/frame")
        return answer.status == .ok && answer.text.contains("\"paired\":true")
    }

    /// Switches an authenticator on.
    private func switchOn(_ holder: Holder) async throws -> OneTimeCode {
        let path = "/settings/account/authenticator"
        let page = try await holder.browser.get(path).text
        let key = try #require(page.firstMatch(of: #/name="key" value="([A-Z2-7]{32})"/#)?.1)
        let factor = try #require(OneTimeCode(text: String(key)))
        let code = factor.code(atStep: OneTimeCode.step(at: cast.house.now))
        let fields = Visitor<Responder>.hidden(in: page) + [("code", code), ("password", holder.password)]
        guard try await holder.browser.post(path, fields).status == .ok else { throw HubCast.Unexpected() }
        // A code is taken once.
        cast.house.wait(30)
        return factor
    }

    /// Links the service; as whom it signs in there.
    private func link(_ holder: Holder) async throws -> String {
        let subject = "subject-\(holder.handle)"
        service.be(subject)
        let away = try await beginLinking(holder)
        guard try await holder.browser.get(try await wayBack(from: away)).location == Self.identities else {
            throw HubCast.Unexpected()
        }
        return subject
    }

    /// Lets a program in; its code.
    private func code(of holder: Holder) async throws -> (program: HubCast.Program, code: String) {
        let program = try await cast.program(client)
        let answer = try await holder.browser.submit(program.authorize())
        guard let code = answer.query["code"] else { throw HubCast.Unexpected() }
        return (program, code)
    }

    private func fetch(_ program: HubCast.Program, _ code: String) async throws -> TestResponse {
        try await client.send(
            .post, "/oauth/token",
            [
                ("grant_type", "authorization_code"), ("client_id", program.id), ("client_secret", program.secret),
                ("redirect_uri", HubCast.back), ("code", code),
            ])
    }

    private func token(of holder: Holder) async throws -> String {
        let (program, code) = try await code(of: holder)
        return try #require(try await fetch(program, code).facts["access_token"] as? String)
    }

    /// A link of the command line, made while the account was the owner's.
    private func ownerLink(of holder: Holder) async throws -> String {
        let owner = cast.house.library.owner.handle
        try await set("role = 'member'", owner)
        try await set("role = 'owner'", holder.handle)
        let link = try await cast.accounts.ownerLink()
        try await set("role = 'member'", holder.handle)
        try await set("role = 'owner'", owner)
        return link.token.secret.reveal()
    }

    /// The link of the page that tells of a closing, made while the account was closed.
    private func appealLink(of holder: Holder) async throws -> String {
        try await set("state = 'closed'", holder.handle)
        let entry = try await cast.accounts.enter(name: holder.handle, password: Secret(holder.password), agent: "")
        try await set("state = 'active'", holder.handle)
        guard case .closed(_, let link) = entry else { throw HubCast.Unexpected() }
        return link.token.secret.reveal()
    }
}
