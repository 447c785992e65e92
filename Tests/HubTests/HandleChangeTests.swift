import ChirpAccounts
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Another user name: the old one stays hers and leads to the new one.
@Suite struct HandleChangeTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let month = 30.0 * 24 * 3600
    private static let page = "/settings/account/handle"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `the old name leads to the new one, everywhere`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            let wrong = try await ann.submit(Self.page, [("username", "anna"), ("password", "wrong")])
            #expect(wrong.status == .unprocessableContent)
            let done = try await ann.submit(Self.page, [("username", "Anna"), ("password", HubCast.password)])
            #expect(done.location == "/settings/account")
            #expect(try await ann.get("/settings").text.contains("@anna<"))
            for tail in ["", "/feed.xml", "/feed.json", "/followers", "/following"] {
                let answer = try await client.execute(uri: "/@ann\(tail)", method: .get)
                #expect(answer.status == .movedPermanently && answer.location == "/@anna\(tail)")
                #expect(try await client.execute(uri: "/@anna\(tail)", method: .get).status == .ok)
            }
            #expect(try await client.execute(uri: "/@nobody", method: .get).status == .notFound)
            let found = try await client.execute(uri: "/api/v1/accounts/lookup?acct=ann", method: .get)
            #expect(try found.facts["username"] as? String == "anna")
        }
    }

    @Test func `once in 30 days, and one's own name may be taken back`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            func change(_ name: String) async throws -> TestResponse {
                try await client.send(
                    .put, "/api/hub/v1/account/handle",
                    json: "{\"handle\":\"\(name)\",\"password\":\"\(HubCast.password)\"}", token: token)
            }
            let first = try await change("anna")
            #expect(first.status == .noContent)
            let again = try await change("annika")
            #expect(again.status == .tooManyRequests && again.headers[.retryAfter] == "\(Int(Self.month))")
            house.wait(Self.month)
            #expect(try await change("anna").status == .unprocessableContent)
            #expect(try await change("ann").status == .noContent)
            #expect(try await client.execute(uri: "/@anna", method: .get).location == "/@ann")
            #expect(try await client.execute(uri: "/@ann", method: .get).status == .ok)
        }
    }

    @Test func `nobody else gets a name that somebody had, nor one that looks like it`() async throws {
        let ann = try await cast.member("billy")
        _ = try await cast.accounts.changeHandle(of: ann.id, to: Handle(typed: "anna"))
        func isTaken(_ name: String) async -> Bool {
            do throws(AccountError) {
                _ = try await cast.accounts.signUp(
                    handle: Handle(typed: name), mail: MailAddress(typed: "eve@example.org"),
                    password: Secret(HubCast.password), registration: .open)
                return false
            } catch {
                if case .refused(.handle, _) = error { return true }
                return false
            }
        }
        #expect(await isTaken("billy"))
        #expect(await isTaken("bi11y"))
        _ = try await cast.accounts.delete(ann.id)
        // Of an account that is gone the last name stays kept, too.
        #expect(await isTaken("billy"))
        #expect(await isTaken("anna"))
    }
}
