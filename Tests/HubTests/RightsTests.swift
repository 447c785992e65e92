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
import NIOCore
import Testing

/// Every declared address, driven as each kind of viewer: what is allowed and refused is what is declared.
@Suite struct RightsTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    @Test func `the table in Docs is that of the declared routes`() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/rights.md").standardized
        let routes = try house.application(cast.settings()).declaredRoutes()
        let table = RightsTable.markdown(routes) + SightTable.markdown
        if ProcessInfo.processInfo.environment["CHIRP_WRITE_RIGHTS"] != nil {
            try table.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == table, "Scripts/update-rights-table writes it anew")
    }

    @Test func `each viewer may do what is declared and nothing else`() async throws {
        try await people()
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let routes = try hub.declaredRoutes()
        try await hub.application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/signout").text
            let form = String(try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1))
            let visit = try #require(visitor.cookie("visit"))
            for viewer in RightsTable.viewers {
                for route in routes {
                    // A new one each time: some of these acts end the session.
                    let session = try await session(of: viewer.name)
                    let cookies = ["__Host-visit=\(visit)"] + (session.map { ["__Host-session=\($0)"] } ?? [])
                    let request = Self.request(route, cookies.joined(separator: "; "), form)
                    let answer = try await client.glance(
                        uri: request.path, method: route.method, headers: request.headers, body: request.body)
                    // A piece of a page that was interpolated as text.
                    #expect(!answer.text.contains("HTML(text:"), "\(route.path)")
                    let isRefused = Self.isRefusal(answer, of: route)
                    #expect(
                        isRefused == !route.access.lets(viewer.person),
                        "\(viewer.name): \(route.method) \(route.path) answers \(answer.status)")
                }
            }
        }
    }

    /// One account of each kind.
    private func people() async throws {
        try await cast.member("una_unconfirmed", isConfirmed: false)
        for name in ["sue_suspended", "mia_member", "max_moderator"] { try await cast.member(name) }
        let change = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1], timeout=20) as hub:
                hub.execute("UPDATE accounts SET state = 'suspended' WHERE handle = 'sue_suspended'")
                hub.execute("UPDATE accounts SET role = 'moderator' WHERE handle = 'max_moderator'")
            """
        let python = try ExternalProgram("python3").run(["-c", change, house.folder.path("hub/hub.sqlite")])
        #expect(python.status == 0)
    }

    /// A new session of somebody; nil for a visitor.
    private func session(of viewer: String) async throws -> String? {
        if viewer == "visitor" { return nil }
        if viewer == "owner" {
            let link = try await cast.accounts.ownerLink()
            return try await cast.accounts.signIn(byOwnerLink: link.token, agent: "").token.secret.reveal()
        }
        let names = ["una_unconfirmed", "sue_suspended", "mia_member", "max_moderator"]
        let name = try #require(names.first { $0.hasSuffix("_\(viewer)") })
        return try await cast.accounts.signIn(name: name, password: Secret(HubCast.password), agent: "").token.secret
            .reveal()
    }

    /// Parameters lead to nothing.
    private static func path(_ route: WebRoute) -> String { route.path.replacing(#/:\w+/#, with: "999999") }

    /// A request that comes from this server's pages and has nothing in it.
    private static func request(
        _ route: WebRoute, _ cookies: String, _ form: String
    ) -> (path: String, headers: HTTPFields, body: ByteBuffer?) {
        var headers: HTTPFields = [.cookie: cookies]
        guard case .programs = route.audience else {
            guard route.method != .get else { return (path(route), headers, nil) }
            headers[.contentType] = "application/x-www-form-urlencoded"
            return (path(route), headers, ByteBuffer(string: "token=\(form)"))
        }
        if let proof = HTTPField.Name("X-Chirp-Form") { headers[proof] = form }
        return (path(route), headers, nil)
    }

    /// What the guards of a route answer, told from what the act itself may refuse.
    private static func isRefusal(_ answer: TestResponse, of route: WebRoute) -> Bool {
        guard case .programs = route.audience else {
            return answer.location.hasPrefix("/signin?to=") || [.unauthorized, .forbidden].contains(answer.status)
        }
        return answer.status == .unauthorized && answer.text.contains("The access token is invalid")
            || answer.status == .forbidden
                && (answer.text.contains("This action is not allowed") || answer.text.contains("problems/unconfirmed"))
    }
}
