import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpRecords
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Pages are read while somebody writes and does not end.
@Suite struct PageWhileWritingTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }

    init() throws { cast = HubCast(house: try HubHousehold(boards: [Records.tables])) }

    @Test func `pages of challenges answer before whoever writes has ended, and the visit counts afterwards`()
        async throws
    {
        let attempts = AttemptStore(library: house.library)
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        let mod = try await cast.member("judy")
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'judy'")
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        let id = try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps in a minute"), terms, by: sue.id, key: "k")
        house.wait(1)
        let attempt = try await attempts.begin(
            AttemptDraft(score: "60", done: house.now, version: 1), at: id, by: ann.id, key: "k")
        try await attempts.decide(attempt, .verify, by: mod.id)
        var settings = try cast.settings(limitScale: 100)
        (settings.boards, settings.stakes) = ([Records.board], StakeLimits(isOn: true))
        try await house.application(settings).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let session = try #require(try await cast.accounts.sessions(of: ann.id).first)
            // Who has not seen the introduction is sent there.
            try await VisitStore(library: house.library).introduce(ann.id)
            // So long that a visit lets the session last on.
            house.wait(3 * 86_400)
            let token = try await cast.token(of: ann)
            let page = "/challenges/\(id)"
            try await house.whileWriting {
                for path in [page, "\(page)/attempts", "/challenges/attempts/\(attempt)", "/challenges"] {
                    for visitor in [browser, Visitor(client)] {
                        #expect(try await visitor.get(path).status == .ok, "\(path)")
                    }
                }
                for path in [page, "\(page)/attempts", "\(page)/records", "\(page)/pledges"] {
                    #expect(try await client.send(.get, "/api/hub/v1\(path)", token: token).status == .ok, "\(path)")
                }
                let sessions = try await cast.accounts.sessions(of: ann.id)
                #expect(sessions.first?.expires == session.expires)
            }
            // On a busy machine a visit has waited too long meanwhile and is left to the next one.
            #expect(
                try await until {
                    _ = try await browser.get(page)
                    guard let now = try await cast.accounts.sessions(of: ann.id).first(where: { $0.id == session.id })
                    else { return false }
                    return now.expires > session.expires
                })
        }
    }

    @Test func `so many visits wait to be written and no more; what was left out is written at the next one`()
        async throws
    {
        try await cast.member("ann")
        var tokens: [OpaqueToken] = []
        for number in 0..<3 {
            let session = try await cast.accounts.signIn(
                name: "ann", password: Secret(HubCast.password), agent: "browser \(number)")
            tokens.append(session.token)
        }
        house.wait(3 * 86_400)
        let visits = SessionVisits(cast.accounts, most: 2)
        func due() async throws -> Int {
            var count = 0
            for token in tokens where try await cast.accounts.isVisitDue(token) { count += 1 }
            return count
        }
        try await house.whileWriting {
            for token in tokens + tokens { try await visits.note(token) }
            #expect(visits.count == 2)
            #expect(try await due() == 3)
        }
        #expect(await until { visits.count == 0 })
        // The one for whom there was no room, and on a busy machine who has waited too long.
        #expect(try await due() >= 1)
        #expect(
            try await until {
                for token in tokens { try await visits.note(token) }
                return try await due() == 0
            })
    }
}
