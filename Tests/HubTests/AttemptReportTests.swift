import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpRecords
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Reports of attempts: a case about an attempt leads to it and hides it alone, and who holds a record stays.
@Suite struct AttemptReportTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private var attempts: AttemptStore { AttemptStore(library: house.library) }

    init() throws { cast = HubCast(house: try HubHousehold(boards: [Records.tables])) }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.boards = [Records.board]
        return settings
    }

    /// Ann's attempt at Sue's challenge, verified by Mia, who moderates.
    private func verified() async throws -> (challenge: HubID, attempt: HubID) {
        let (sue, ann) = (try await cast.member("sue"), try await cast.member("ann"))
        for name in ["bob", "mia"] { try await cast.member(name) }
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'mia'")
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        let id = try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps in a minute"), terms, by: sue.id, key: "k")
        house.wait(1)
        var draft = AttemptDraft(score: "60", done: house.now, version: 1)
        draft.text = "Rude <words>"
        let attempt = try await attempts.begin(draft, at: id, by: ann.id, key: "k")
        let mia = try #require(try await cast.accounts.account(Handle(typed: "mia")))
        try await attempts.decide(attempt, .verify, by: mia.id)
        return (id, attempt)
    }

    @Test func `a report hides the attempt, not its challenge, and a moderator is led to it`() async throws {
        let (challenge, attempt) = try await verified()
        try await house.application(settings()).application().test(.router) { client in
            let (page, path) = ("/challenges/\(challenge)", "/challenges/attempts/\(attempt)")
            let (ann, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let (mia, visitor) = (try await cast.browser(of: "mia", client), Visitor(client))
            let form = "/report/items/\(attempt)"
            #expect(try await bob.get(path).text.contains("href=\"\(form)\""))
            #expect(try await bob.get(form).text.contains("<a href=\"\(path)\" dir=\"auto\">Claps in a minute</a>"))
            #expect(try await bob.submit(form, [("reason", "abuse"), ("text", "Look at that")]).status == .ok)

            #expect(try await visitor.get(path).status == .notFound)
            #expect(try await bob.get(path).status == .notFound)
            #expect(try await ann.get(path).status == .ok, "its author sees it")
            #expect(try await !visitor.get("\(page)/attempts").text.contains(path))
            let shown = try await visitor.get(page)
            #expect(shown.status == .ok && shown.text.contains("/@ann"), "she holds the record")

            let found = try #require(try await house.library.cases(waiting: true, for: house.library.owner.id).first)
            #expect(found.subject == .item(attempt) && found.account.handle == "ann")
            #expect(try await ann.get("/notices").text.contains("Claps in a minute"))
            let read = try await mia.get("/moderation/cases/\(found.id)").text
            #expect(read.contains("href=\"\(path)\"") && read.contains("Rude &lt;words&gt;"))
            #expect(try await mia.get(path).status == .ok)
            let decided = try await mia.submit(
                "/moderation/cases/\(found.id)", [("what", "show"), ("why", "Nothing is wrong")])
            #expect(decided.status == .seeOther, "\(decided.text.prefix(2000))")
            #expect(try await visitor.get(path).status == .ok)
        }
    }

    @Test func `one that a decision hides stays hidden, and holds its record`() async throws {
        let (challenge, attempt) = try await verified()
        let bob = try #require(try await cast.accounts.account(Handle(typed: "bob")))
        let mia = try #require(try await cast.accounts.account(Handle(typed: "mia")))
        let receipt = try await house.library.report(.item(attempt), by: bob.id, for: .abuse, text: "Rude")
        #expect(receipt.hides)
        try await house.library.decide(
            receipt.caseID, Verdict(.hide, why: "Rude words"), by: mia.id, from: .open)
        house.wait(3 * 24 * 3600)
        try await house.library.settleCases()
        #expect(try await attempts.attempt(attempt, for: .visitor) == nil)
        #expect(try await attempts.attempts(.challenge(challenge), for: .member(bob.id), limit: 10).isEmpty)
        let rule = try #require(
            try await ChallengeStore(library: house.library).rules(of: challenge, for: .visitor).first)
        let holders = try await HoldStore(library: house.library).worldHolders(of: [rule.id], for: .visitor)
        #expect(holders[challenge]?.attempt == attempt)
        // Nobody reports what she does not see, nor her own.
        let eve = try await cast.member("eve")
        await #expect(throws: CaseError.notFound) {
            try await house.library.report(.item(attempt), by: eve.id, for: .abuse, text: "Too")
        }
    }

    @Test func `a case goes on when the attempt is gone, and leaves nothing of it`() async throws {
        let (_, attempt) = try await verified()
        let bob = try #require(try await cast.accounts.account(Handle(typed: "bob")))
        let ann = try #require(try await cast.accounts.account(Handle(typed: "ann")))
        try await house.library.report(.item(attempt), by: bob.id, for: .abuse, text: "Look")
        _ = try await house.library.accounts().delete(ann.id)
        #expect(try await house.traces(of: ["Rude <words>", "\(ann.id)"]).isEmpty)
    }
}
