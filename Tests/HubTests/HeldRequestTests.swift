import ChirpAccounts
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

/// A request that a thief holds open with its last bytes, while the owner of the account puts the thief out.
@Suite struct HeldRequestTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    /// A body whose last byte comes after something else has happened.
    private struct HeldBody: AsyncSequence, Sendable {
        let text: String
        let wasRead: Mutexed<Bool>
        let meanwhile: @Sendable () async throws -> Void

        struct AsyncIterator: AsyncIteratorProtocol {
            var pieces: [ByteBuffer]
            let wasRead: Mutexed<Bool>
            let meanwhile: @Sendable () async throws -> Void

            mutating func next() async throws -> ByteBuffer? {
                if pieces.count == 1 { try await meanwhile() }
                guard pieces.isEmpty else { return pieces.removeFirst() }
                wasRead.change { $0 = true }
                return nil
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                pieces: [ByteBuffer(string: String(text.dropLast())), ByteBuffer(string: String(text.suffix(1)))],
                wasRead: wasRead, meanwhile: meanwhile)
        }
    }

    /// Sends a request that is held; whether all of it was read.
    private func hold<R>(
        _ client: RouterClient<R>, _ method: HTTPRequest.Method, _ path: String, _ text: String, _ headers: HTTPFields,
        meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> (answer: TestResponse, wasRead: Bool) {
        let body = HeldBody(text: text, wasRead: Mutexed(false), meanwhile: meanwhile)
        let answer = try await client.execute(
            uri: path, method: method, headers: headers, content: Hummingbird.RequestBody(asyncSequence: body)
        ) { $0 }
        return (answer, body.wasRead.value)
    }

    /// The owner of the hub, who may use every address; a new session each time.
    private func session() async throws -> String {
        let link = try await cast.accounts.ownerLink()
        return try await cast.accounts.signIn(byOwnerLink: link.token, agent: "").token.secret.reveal()
    }

    /// The head and the body of a request as this server's pages send it.
    private static func request(_ route: WebRoute, form: String) -> (headers: HTTPFields, text: String) {
        guard case .people = route.audience else {
            return ([.contentType: "application/json", .formToken: form], #"{"status":"a","code":"a"}"#)
        }
        guard case .files = route.body else {
            return ([.contentType: "application/x-www-form-urlencoded"], "token=\(form)&x=1")
        }
        let text = "--limit5f3a\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(form)\r\n--limit5f3a--\r\n"
        return ([.contentType: "multipart/form-data; boundary=limit5f3a"], text)
    }

    @Test(arguments: [false, true])
    func `no act is done by a session or a token that has ended before the last byte came`(
        isProgram: Bool
    ) async throws {
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let routes = try hub.declaredRoutes().filter { route in
            guard route.method != .get, route.access != .everybody else { return false }
            guard case .programs = route.audience else { return !isProgram }
            return true
        }
        let owner = try #require(try await cast.accounts.owner())
        let house = house
        try await hub.application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/signout").text
            let form = String(try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1))
            let visit = try #require(visitor.cookie("visit"))
            var read: Set<String> = []
            for route in routes {
                var (headers, text) = Self.request(route, form: form)
                if isProgram {
                    headers[.authorization] = "Bearer \(try await cast.token(of: owner, "read write follow push"))"
                } else {
                    headers[.cookie] = "__Host-visit=\(visit); __Host-session=\(try await session())"
                }
                let (answer, wasRead) = try await hold(
                    client, route.method, route.path.replacing(#/:\w+/#, with: "999999"), text, headers
                ) {
                    try await house.change("DELETE FROM \(isProgram ? "tokens" : "sessions")")
                }
                // What looks at no body has answered by the head.
                guard wasRead else { continue }
                read.insert(route.path)
                #expect(answer.status == .unauthorized, "\(route.method) \(route.path) answers \(answer.status)")
            }
            for route in routes where route.body == .form { #expect(read.contains(route.path), "\(route.path)") }
            let calls = ["/api/v1/statuses", "/api/hub/v1/account/password", "/api/hub/v1/frames"]
            #expect(read.isSuperset(of: calls), "\(read.sorted())")
        }
    }

    @Test func `a thief without the password of an account sets none by a request that was begun before`() async throws
    {
        let ann = try await cast.member("ann")
        let (house, accounts) = (house, cast.accounts)
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            try await house.change("UPDATE accounts SET password = NULL WHERE handle = 'ann'")
            let form = try #require(try await browser.hidden(on: "/settings/account").first)
            let (answer, wasRead) = try await hold(
                client, .post, "/settings/account/password", "token=\(form.value)&new-password=thievish+horse+1",
                [.cookie: browser.allCookies, .contentType: "application/x-www-form-urlencoded"]
            ) {
                try await accounts.signOutEverywhere(ann.id)
            }
            #expect(wasRead && answer.status == .unauthorized)
            #expect(answer.headers[values: .setCookie].allSatisfy { !$0.contains("session=") })
            #expect(try await house.texts("SELECT id FROM sessions WHERE account = '\(ann.id)'").isEmpty)
            #expect(
                try await house.texts("SELECT id FROM accounts WHERE handle = 'ann' AND password IS NULL").count == 1)
        }
    }

    @Test func `whoever is suspended while a post comes has not posted`() async throws {
        let token = try await cast.token(of: try await cast.member("ann"))
        let house = house
        try await house.application(cast.settings()).application().test(.router) { client in
            let (answer, _) = try await hold(
                client, .post, "/api/v1/statuses", #"{"status":"late"}"#,
                [.authorization: "Bearer \(token)", .contentType: "application/json"]
            ) {
                try await house.change("UPDATE accounts SET state = 'suspended' WHERE handle = 'ann'")
            }
            #expect(answer.status == .forbidden)
        }
    }
}
