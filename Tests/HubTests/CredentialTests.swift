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

/// What opens an account, times what happens to it: each cell of the table, over HTTP.
@Suite struct CredentialTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let service: LoopbackOpenID
    private let pushes: LoopbackPush

    init() throws {
        let house = try HubHousehold(boards: Boards.tables)
        self.house = house
        cast = HubCast(house: house)
        service = try LoopbackOpenID(now: { house.now })
        pushes = try LoopbackPush()
    }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings(limitScale: 1e6)
        settings.identity.openID = IdentitySettings.OpenID(
            issuer: service.base, client: "hub", secret: Secret("hush-openid-secret"), name: "Example")
        settings.identity.insecureLoopback = true
        return settings
    }

    private func walk<R>(_ client: RouterClient<R>) async throws -> CredentialWalk<R> {
        let owner = Visitor(client)
        _ = try await owner.submit(HubPages(publicURL: "").ownerSignIn(try await cast.accounts.ownerLink()))
        return CredentialWalk(cast: cast, client: client, service: service, pushes: pushes, owner: owner)
    }

    @Test(arguments: AccountCredential.allCases)
    func `a credential lives and ends as the table says`(credential: AccountCredential) async throws {
        try await house.application(settings()).application().test(.router) { client in
            let walk = try await walk(client)
            // Nothing happens: it works.
            var idle = try await walk.holder("holder0")
            let works = try await walk.make(credential, of: &idle)
            #expect(try await works(idle), "\(credential) does not work at all")
            for (number, event) in AccountEvent.allCases.enumerated() {
                var holder = try await walk.holder("holder\(number + 1)")
                let works = try await walk.make(credential, of: &holder)
                try await walk.happen(event, to: &holder, trying: credential)
                let lives = try await works(holder)
                #expect(lives == (credential.fate(at: event) == .lives), "\(credential) at \(event): lives is \(lives)")
            }
        }
    }

    @Test func `nothing is linked, paired or let in while the address is unconfirmed`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let walk = try await walk(client)
            let holder = try await walk.holder("una", isConfirmed: false)
            let browser = holder.browser
            let program = try await cast.program(client)
            #expect(try await browser.get(program.authorize()).status == .forbidden)
            let form = type(of: browser).hidden(in: try await browser.get("/signout").text)
            for path in CredentialTable.confirmedForms {
                let answer = try await browser.post(path, form + [("password", holder.password), ("service", "oidc")])
                #expect(answer.status == .forbidden, "\(path)")
            }
            for path in CredentialTable.confirmedCalls {
                let answer = try await browser.call(.post, path)
                #expect(answer.status == .forbidden && answer.text.contains("problems/unconfirmed"), "\(path)")
            }
            // A frame in the browser in which one is signed in needs no address for people.
            let start = try await browser.call(.post, "/api/hub/v1/frame/start", #"{"network": "hub"}"#)
            #expect(start.status == .forbidden && start.text.contains("problems/unconfirmed"))
            let screen = Visitor(client)
            _ = try await screen.call(
                .post, "/api/hub/v1/frame/start", #"{"network": "hub"}"#, [.formToken: try await screen.frameForm()])
            _ = try await screen.submit("/signin", [("username", "una"), ("password", holder.password)])
            #expect(try await screen.get("/frame").text.contains("was not confirmed"))
            #expect(try await screen.get("/api/hub/v1/frame").text.contains("\"paired\":false"))
            // Behind the routes: none of the makers makes it.
            for credential in AccountCredential.allCases where credential.fate(at: .unconfirmed) == .ends {
                // Those come of another that is refused, or of a closing; and a session lasts until the address is confirmed.
                guard ![.appealLink, .identityArrival, .session].contains(credential) else { continue }
                await #expect(throws: (any Error).self, "\(credential)") {
                    var same = holder
                    _ = try await walk.make(credential, of: &same)
                }
            }
            for table in ["tokens", "codes", "identities", "frames", "frameKeys", "feedAddresses", "pushSubscriptions"]
            {
                let rows = "SELECT 'x' FROM \(table) WHERE account = '\(holder.id)'"
                #expect(try await house.texts(rows).isEmpty, "\(table)")
            }
        }
    }

    @Test func `every address that makes a credential is among those that were tried`() throws {
        let routes = try house.application(settings()).declaredRoutes().filter { $0.access == .confirmed }
        let tried = CredentialTable.confirmedForms + CredentialTable.confirmedCalls
        #expect(Set(routes.filter { $0.method != .get }.map(\.path)) == Set(tried))
    }

    @Test(arguments: [false, true])
    func `a browser that was known waits as a stranger does once its account has signed out everywhere`(
        isOver: Bool
    ) async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let (known, other) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "ann", client))
            if isOver { _ = try await other.submit("/settings/sessions", to: "/settings/sessions/end-all") }
            let stranger = Visitor(client)
            for _ in 0..<10 {
                _ = try await stranger.submit("/signin", [("username", "ann"), ("password", "not the password")])
            }
            let answer = try await known.submit("/signin", [("username", "ann"), ("password", HubCast.password)])
            #expect(answer.status == (isOver ? .tooManyRequests : .seeOther))
        }
    }

    @Test func `a link that was begun while the address was confirmed is not finished when it is not`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let walk = try await walk(client)
            let holder = try await walk.holder("una")
            service.be("una-elsewhere")
            let back = try await walk.wayBack(from: try await walk.beginLinking(holder))
            try await walk.set("state = 'unconfirmed'", "una")
            #expect(try await holder.browser.get(back).status == .forbidden)
            #expect(try await house.texts("SELECT id FROM identities").isEmpty)
        }
    }

    @Test func `a table that names an account opens it, or opens nothing for a reason`() async throws {
        let kept = Set(HubLibrary.credentialRows.map(\.credential))
        #expect(kept == Set(AccountCredential.allCases), "each is kept somewhere")
        let (naming, secret) = try await CredentialTable.tables(in: house)
        let rows = Set(HubLibrary.credentialRows.map(\.table))
        let listed = rows.union(CredentialTable.openNothing.keys)
        #expect(naming.union(secret).subtracting(listed).sorted() == [], "say what these open")
        #expect(
            Set(CredentialTable.openNothing.keys).subtracting(naming.union(secret)).sorted() == [], "no such tables")
        #expect(rows.intersection(CredentialTable.openNothing.keys).isEmpty)
    }

    @Test func `the table in Docs is that of the code`() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/credentials.md").standardized
        let table = CredentialTable.markdown
        if ProcessInfo.processInfo.environment["CHIRP_WRITE_RIGHTS"] != nil {
            try table.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == table, "Scripts/update-rights-table writes it anew")
    }
}
