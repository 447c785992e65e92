import ChirpAccounts
import ChirpCore
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Letters in the hub's name: how many somebody can have sent, to whom, and that the limit tells nothing of who is here.
@Suite struct LetterLimitTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let account = "/api/hub/v1/account"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func letters(_ kind: String) async throws -> Int {
        try await house.texts("SELECT id FROM letters WHERE kind = '\(kind)'").count
    }

    @Test func `of twenty-five changes of address five are asked for, by the page and for programs together`()
        async throws
    {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        let before = try await letters("confirm")
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            var statuses: [HTTPResponse.Status: Int] = [:]
            for number in 0..<25 {
                let mail = "stranger\(number)@example.net"
                let answer =
                    number % 2 == 0
                    ? try await browser.submit(
                        "/settings/account/mail", [("email", mail), ("password", HubCast.password)])
                    : try await client.send(
                        .put, "\(Self.account)/mail",
                        json: "{\"password\":\"\(HubCast.password)\",\"mail\":\"\(mail)\"}", token: token)
                statuses[answer.status, default: 0] += 1
                if answer.status == .tooManyRequests { #expect(answer.headers[.retryAfter] != nil) }
            }
            #expect(statuses == [.ok: 3, .accepted: 2, .tooManyRequests: 20])
            #expect(try await letters("confirm") - before == 5)
            // What is refused has changed nothing: the link of the last one that was sent still works.
            #expect(try await house.texts("SELECT mail FROM links WHERE purpose = 'confirm'").count == 5)
        }
    }

    /// Somebody's address, and what the hub knows of it.
    enum Recipient: String, CaseIterable, Sendable { case known, unknown, banned }

    /// How a stranger asks for a letter to it.
    enum Asking: CaseIterable, Sendable { case signUp, signUpAPI, reset, resetAPI }

    private func ask<R>(
        _ asking: Asking, _ number: Int, _ mail: String, _ client: RouterClient<R>
    ) async throws -> TestResponse {
        let client = try client.at("198.51.100.\(number + 1)")
        switch asking {
        case .signUp:
            return try await Visitor(client).submit(
                "/signup", [("email", mail), ("username", "eve\(number)"), ("password", HubCast.password)])
        case .signUpAPI:
            return try await client.send(
                .post, Self.account,
                json: "{\"handle\":\"eve\(number)\",\"mail\":\"\(mail)\",\"password\":\"\(HubCast.password)\"}")
        case .reset: return try await Visitor(client).submit("/reset", [("email", mail)])
        case .resetAPI: return try await client.send(.post, "\(Self.account)/reset", json: "{\"mail\":\"\(mail)\"}")
        }
    }

    @Test(arguments: Asking.allCases)
    func `from twenty-five networks somebody gets five letters, and the answers are those of an unknown address`(
        asking: Asking
    ) async throws {
        try await cast.member("known")
        try await cast.ban(mail: "banned@example.org")
        try await house.application(cast.settings()).application().test(.router) { client in
            var answers: [Recipient: [HTTPResponse.Status]] = [:]
            for recipient in Recipient.allCases {
                for number in 0..<25 {
                    // The spellings of one mailbox are one.
                    let mail = "\(recipient)\(number % 2 == 0 ? "" : "+tag")@example.org"
                    let number = number + 30 * (Recipient.allCases.firstIndex(of: recipient) ?? 0)
                    answers[recipient, default: []].append(try await ask(asking, number, mail, client).status)
                }
            }
            let unknown = try #require(answers[.unknown])
            #expect(unknown.count { $0 == .tooManyRequests } == 20)
            #expect(answers[.known] == unknown && answers[.banned] == unknown)
            let written = try await house.texts(
                "SELECT id FROM letters WHERE kind IN ('confirm', 'alreadyHere', 'reset', 'nothing')")
            #expect(written.count == 15 + 1, "and the one that confirmed the member's address")
        }
    }

    @Test func `from one network fifteen letters an hour are asked for, to whomever`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            var statuses: [HTTPResponse.Status: Int] = [:]
            for number in 0..<25 {
                let answer = try await client.at("2001:db8:1:2::\(number + 1)").send(
                    .post, "\(Self.account)/reset", json: "{\"mail\":\"name\(number)@example.org\"}")
                statuses[answer.status, default: 0] += 1
            }
            #expect(statuses == [.accepted: 15, .tooManyRequests: 10])
        }
    }

    @Test func `strangers keep nobody from the letter that sets a password`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            for number in 0..<8 { _ = try await ask(.signUp, number, "ann@example.org", client) }
            #expect(try await ask(.signUp, 8, "ann@example.org", client).status == .tooManyRequests)
            #expect(try await ask(.reset, 9, "ann@example.org", client).status == .ok)
            #expect(try await letters("reset") == 1)
            // By asking for that one too often they have it sent as often, and each link works for half an hour.
            for number in 10..<40 {
                _ = try await ask(.reset, number, "ann@example.org", client)
                house.wait(120)
                let working = try await house.texts(
                    """
                    SELECT 1 FROM links WHERE purpose = 'reset'
                        AND expires > \(Int64(house.now.timeIntervalSince1970 * 1000))
                    """)
                #expect(!working.isEmpty)
            }
        }
    }

    @Test func `a change is refused where its news may not be written, and a reset never is`() async throws {
        let ann = try await cast.member("ann")
        let (accounts, changes) = (cast.accounts, { try await letters("changed") })
        var refused = 0
        for _ in 0..<30 {
            do throws(AccountError) { try await accounts.switchOffSecondFactor(of: ann.id) } catch {
                guard case .tooOften = error else { throw error }
                refused += 1
            }
        }
        #expect(refused == 10)
        #expect(try await changes() == 20, "each that happened was told")
        let letter = try await accounts.requestReset(MailAddress(typed: "ann@example.org"))
        guard case .reset(_, let link)? = letter else { throw HubCast.Unexpected() }
        _ = try await accounts.reset(link.token, password: Secret("another password"))
        #expect(try await changes() == 21, "and so was the reset")
    }

    @Test func `letters are written down in one place, which counts them`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: root.path()))
        var writing: [String: Int] = [:]
        for case let name as String in files where name.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            let count = text.matches(of: #/INTO letters\b/#).count
            if count > 0 { writing[name] = count }
        }
        #expect(writing == ["ChirpAccounts/Letters/Accounts+Letters.swift": 2])
    }
}
