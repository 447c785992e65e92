import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpRecords
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Votes on single attempts as people without script and programs give them, and what they do to a challenge's page (OU-9).
@Suite struct AttemptVoteRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private var attempts: AttemptStore { AttemptStore(library: house.library) }
    private static let board = "/challenges"
    private static let api = "/api/hub/v1/challenges"

    init() throws { cast = HubCast(house: try HubHousehold(boards: [Records.tables])) }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.boards = [Records.board]
        return settings
    }

    private func challenge(by setter: AccountID) async throws -> HubID {
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        return try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps in a minute"), terms, by: setter, key: "k")
    }

    private func attempt(_ score: String, at id: HubID, by account: AccountID) async throws -> HubID {
        house.wait(1)
        return try await attempts.begin(
            AttemptDraft(score: score, done: house.now, version: 1), at: id, by: account, key: UUID().uuidString)
    }

    @Test func `a vote is given by form and by program, once for each, by others than the author`() async throws {
        let (sue, ann, bob) = (try await cast.member("sue"), try await cast.member("ann"), try await cast.member("bob"))
        let id = try await challenge(by: sue.id)
        let attempt = try await attempt("60", at: id, by: ann.id)
        let (hers, his) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await house.application(settings()).application().test(.router) { client in
            let (path, call) = ("\(Self.board)/attempts/\(attempt)", "\(Self.api)/attempts/\(attempt)/votes")
            func stands() async throws -> String {
                let facts = try await client.send(.get, call, token: his).facts
                let (ups, downs) = (facts["ups"] as? Int ?? -1, facts["downs"] as? Int ?? -1)
                return "\(ups) \(downs) \(facts["own"] as? String ?? "none")"
            }
            #expect(try await stands() == "0 0 none")
            // Who is not signed in.
            let unknown = try await client.send(.put, call, json: "{\"vote\":\"up\"}")
            #expect(unknown.status == .unauthorized)
            let visitor = Visitor(client)
            let sent = try await visitor.submit("/signin", to: "\(path)/votes", [("vote", "up")])
            #expect(sent.location.hasPrefix("/signin") || sent.status == .unauthorized, "\(sent.status)")
            #expect(try await stands() == "0 0 none")
            // Twice is once.
            for _ in 0..<2 {
                let answer = try await client.send(.put, call, json: "{\"vote\":\"up\"}", token: his)
                #expect(answer.status == .ok)
                #expect(try answer.facts["ups"] as? Int == 1 && answer.facts["isSunk"] as? Bool == false)
            }
            #expect(try await stands() == "1 0 up")
            let browser = try await cast.browser(of: "bob", client)
            for _ in 0..<2 {
                let answer = try await browser.submit(path, to: "\(path)/votes", [("vote", "down")])
                #expect(answer.location == "\(path)#votes", "\(answer.status)")
            }
            #expect(try await stands() == "0 1 down")
            // What is no vote, and one's own attempt.
            let wrong = try await client.send(.put, call, json: "{\"vote\":\"sideways\"}", token: his)
            #expect(wrong.status == .unprocessableContent)
            #expect(try await client.send(.put, call, json: "{\"vote\":\"up\"}", token: hers).status == .forbidden)
            let annie = try await cast.browser(of: "ann", client)
            #expect(try await !annie.get(path).text.contains("action=\"\(path)/votes\""))
            #expect(
                try await annie.submit("/settings/profile", to: "\(path)/votes", [("vote", "up")]).status == .forbidden)
            #expect(try await stands() == "0 1 down")
            let taken = try await client.send(.put, call, json: "{\"vote\":\"none\"}", token: his)
            #expect(taken.status == .ok)
            #expect(try await stands() == "0 0 none")
        }
    }

    @Test func `there is nothing to vote on where the challenge is hidden or the attempt taken back`() async throws {
        let (sue, ann, bob) = (try await cast.member("sue"), try await cast.member("ann"), try await cast.member("bob"))
        let id = try await challenge(by: sue.id)
        let (hidden, gone) = (
            try await attempt("60", at: id, by: ann.id), try await attempt("61", at: id, by: sue.id)
        )
        let token = try await cast.token(of: bob)
        try await attempts.withdraw(gone, by: sue.id)
        try await house.application(settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "bob", client)
            func statuses(_ attempt: HubID) async throws -> [HTTPResponse.Status] {
                let call = "\(Self.api)/attempts/\(attempt)/votes"
                return [
                    try await client.send(.get, call, token: token).status,
                    try await client.send(.put, call, json: "{\"vote\":\"up\"}", token: token).status,
                    try await browser.submit(
                        "/settings/profile", to: "\(Self.board)/attempts/\(attempt)/votes", [("vote", "up")]
                    ).status,
                ]
            }
            #expect(try await statuses(gone) == [.notFound, .notFound, .notFound])
            #expect(try await statuses(HubID()) == [.notFound, .notFound, .notFound])
            #expect(try await statuses(hidden) == [.ok, .ok, .seeOther])
            try await house.library.transact { try Items.hide(id, true, in: $0) }
            #expect(try await statuses(hidden) == [.notFound, .notFound, .notFound])
            #expect(try await attempts.votes(on: [hidden], for: .visitor)[hidden]?.ups == 1)
        }
    }

    @Test func `what few like is not in its challenge's page, but in the list of all and at its address`()
        async throws
    {
        let (sue, ann, bob) = (try await cast.member("sue"), try await cast.member("ann"), try await cast.member("bob"))
        var voters = [sue.id, bob.id]
        for name in ["cem", "dan", "eve", "fay"] { voters.append(try await cast.member(name).id) }
        house.wait(2 * 86_400)
        let id = try await challenge(by: sue.id)
        let liked = try await attempt("60", at: id, by: bob.id)
        let sunk = try await attempt("50", at: id, by: ann.id)
        try await house.application(settings()).application().test(.router) { client in
            let (visitor, page) = (Visitor(client), "\(Self.board)/\(id)")
            func shows(_ attempt: HubID, _ page: String) async throws -> Bool {
                try await visitor.get(page).text.contains("\(Self.board)/attempts/\(attempt)\"")
            }
            for each in [sunk, liked] { #expect(try await shows(each, page)) }
            #expect(try await !visitor.get(page).text.contains("\(page)/attempts\""))
            for voter in voters { try await attempts.vote(.down, on: sunk, by: voter, from: nil) }
            #expect(try await !shows(sunk, page))
            #expect(try await shows(liked, page))
            // The page says where all of them are, and there it is.
            #expect(try await visitor.get(page).text.contains("\(page)/attempts\""))
            for each in [sunk, liked] { #expect(try await shows(each, "\(page)/attempts")) }
            #expect(try await visitor.get("\(Self.board)/attempts/\(sunk)").status == .ok)
            let list = try await client.send(.get, "\(Self.api)/\(id)/attempts").text
            #expect(list.contains(sunk.text) && list.contains(liked.text))
            try await attempts.vote(nil, on: sunk, by: bob.id, from: nil)
            #expect(try await shows(sunk, page), "it rises again")
        }
    }
}
