import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Every address for programs, driven with a token for each scope: a token reads and does no more than its scopes say.
@Suite struct ScopeTests {
    private let scene: ScopeScene
    private var cast: HubCast { scene.cast }

    init() async throws { scene = try await ScopeScene() }

    private static func rule(of route: WebRoute) -> TokenRule? {
        guard case .programs(let rule) = route.audience else { return nil }
        return rule
    }

    /// At the addresses of a frame's screen tokens are of another kind: a visitor shows one there that is none.
    private func head(_ token: String?, _ path: String) -> HTTPFields {
        if let token { return [.authorization: "Bearer \(token)"] }
        guard path.hasPrefix("/api/hub/v1/frame/") || path == "/api/hub/v1/frame" else { return [:] }
        return [.authorization: "Bearer \(OpaqueToken().secret.reveal())"]
    }

    private func ask<R>(
        _ client: RouterClient<R>, _ route: WebRoute, _ path: String, _ token: String?
    ) async throws -> TestResponse {
        try await client.glance(uri: path, method: route.method, headers: head(token, path), body: nil)
    }

    /// Whether two answers tell the same. What is new in each answer to a visitor has the same shape.
    private static func isSame(_ answer: TestResponse, _ visitors: [TestResponse]) -> Bool {
        if visitors.contains(where: { answer.isLike($0) }) { return true }
        guard !visitors[0].isLike(visitors[1]), answer.status == visitors[0].status else { return false }
        return keys(answer) == keys(visitors[0]) && keys(answer) != nil
    }

    private static func keys(_ answer: TestResponse) -> Set<String>? { (try? answer.facts).map { Set($0.keys) } }

    @Test func `a token with one scope is a visitor or refused wherever another scope is asked for`() async throws {
        var count = (requests: 0, refused: 0, asVisitor: 0, allowed: 0)
        var found: Set<String> = []
        let routes = try scene.hub.declaredRoutes()
        #expect(routes.count { Self.rule(of: $0) != nil && scene.isReal($0) } > 250)
        try await scene.hub.application().test(.router) { client in
            var visitors: [String: [TestResponse]] = [:]
            for route in routes where Self.rule(of: route) != nil && route.access == .everybody {
                let path = scene.path(route)
                visitors["\(route.method) \(path)"] = [
                    try await ask(client, route, path, nil), try await ask(client, route, path, nil),
                ]
                count.requests += 2
            }
            for scope in [""] + Scopes.known.sorted() {
                let token = try await cast.token(of: scene.ann, scope)
                let scopes = Scopes(scope)
                for route in routes {
                    guard let rule = Self.rule(of: route) else { continue }
                    let path = scene.path(route)
                    let name = "\(scope): \(route.method) \(path)"
                    let isAllowed = rule != .open && rule.names.allSatisfy(scopes.allow)
                    // The acts that the scope is for would change what the others are asked for.
                    if isAllowed, route.method != .get { continue }
                    let answer = try await ask(client, route, path, token)
                    count.requests += 1
                    for secret in ScopeScene.secrets
                    where (isAllowed || route.access != .everybody) && answer.text.contains(secret.text) {
                        found.insert(secret.text)
                        #expect(secret.scopes.contains(scope), "\(name) tells \(secret.text)")
                    }
                    if scene.scene.hunts[0].finds(in: answer) {
                        found.insert("place")
                        #expect(["read", "read:statuses"].contains(scope), "\(name) tells the place")
                    }
                    if isAllowed {
                        count.allowed += 1
                        #expect(answer.headers[.wwwAuthenticate]?.contains("insufficient_scope") != true, "\(name)")
                    } else if route.path == "/api/v1/apps/verify_credentials" {
                        // It tells of the program that has the token, and of nobody for whom it speaks.
                        #expect(answer.status == .ok && !answer.text.contains("ann"))
                    } else if route.access == .everybody {
                        count.asVisitor += 1
                        let isSame = Self.isSame(answer, visitors["\(route.method) \(path)"] ?? [])
                        #expect(isSame, "\(name) is not answered as a visitor: \(answer.status)")
                    } else {
                        count.refused += 1
                        let needed = rule.names.joined(separator: " ")
                        #expect(answer.status == .forbidden, "\(name) answers \(answer.status)")
                        #expect(
                            answer.headers[.wwwAuthenticate]
                                == "Bearer error=\"insufficient_scope\", scope=\"\(needed)\"", "\(name)")
                    }
                }
            }
        }
        // What is looked for would be found.
        #expect(found.count == ScopeScene.secrets.count + 1, "\(found)")
        print("scopes: \(count)")
    }

    @Test func `a token with the scopes of an address is let in there`() async throws {
        try await scene.hub.application().test(.router) { client in
            for route in try scene.hub.declaredRoutes() {
                guard let rule = Self.rule(of: route), rule != .open else { continue }
                // A new one each time: some of these acts end all tokens. The ids lead to nothing.
                let token = try await cast.token(of: scene.ann, rule.names.joined(separator: " "))
                let path = route.path.replacing(#/:\w+/#, with: "999999")
                let answer = try await ask(client, route, path, token)
                #expect(
                    answer.headers[.wwwAuthenticate] == nil && answer.status != .unauthorized,
                    "\(route.method) \(path) answers \(answer.status)")
            }
        }
    }

    @Test func `no token opens a page`() async throws {
        let token = try await cast.token(of: scene.ann, Scopes.known.sorted().joined(separator: " "))
        try await scene.hub.application().test(.router) { client in
            for route in try scene.hub.declaredRoutes() where Self.rule(of: route) == nil {
                let path = scene.path(route)
                let visitor = try await ask(client, route, path, nil)
                let answer = try await ask(client, route, path, token)
                #expect(answer.isLike(visitor), "\(route.method) \(path) answers \(answer.status)")
            }
        }
    }

    @Test func `a token in a stream's address opens no more than one in the head`() async throws {
        try await scene.hub.application().test(.router) { client in
            for (scopes, status) in [("push", HTTPResponse.Status.forbidden), ("read:statuses", .ok)] {
                let token = try await cast.token(of: scene.ann, scopes)
                let answer = try await client.glance(
                    uri: "/api/v1/streaming/user?access_token=\(token)", method: .get, headers: [:], body: nil)
                #expect(answer.status == status)
            }
            let open = try await client.glance(
                uri: "/api/v1/streaming/public?access_token=\(try await cast.token(of: scene.ann, "push"))",
                method: .get, headers: [:], body: nil)
            #expect(open.status == .ok)
        }
    }

    @Test func `a moderator is a member to a token that does not moderate`() async throws {
        let max = try #require(try await cast.accounts.account(Handle(typed: "max")))
        let narrow = try await cast.token(of: max, "read:statuses write:statuses")
        let wide = try await cast.token(of: max, "read:statuses write:statuses write:moderation")
        try await scene.hub.application().test(.router) { client in
            let closing = try #require(
                try scene.hub.declaredRoutes().first { $0.path == "/api/hub/v1/challenges/:id/closure" })
            let path = scene.path(closing)
            #expect(try await client.send(.post, path, json: "{}", token: narrow).status == .notFound)
            #expect(try await client.send(.post, path, json: "{}", token: wide).status == .ok)
        }
    }
}
