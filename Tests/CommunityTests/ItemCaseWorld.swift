import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Rules of cases about items as a script: what people do one after the other, and what is the case then.
struct ItemRule: CustomTestStringConvertible, Sendable {
    enum Who: String, Sendable { case ann, bob, carl, dora, mia, max, owner }

    enum Act: Sendable {
        /// Reports the item, 10 minutes after whatever was before.
        case report(Who, ReportReason = .spam, text: String = "Look at this")
        /// The same at once.
        case hurry(Who)
        /// Reports it with a picture and no words.
        case show(Who, ownPicture: Bool = true)
        /// Hours.
        case wait(Double)
        /// Decides the newest case about the item; `old`: the one before.
        case decide(
            Verdict.Step, by: Who = .mia, days: Int? = nil, hides: Bool = true, why: String = "so it is",
            old: Bool = false)
        case appeal
        case answer
        /// Was wrong so many times running.
        case wrong(Who, Int)
        case right(Who)
        case suspend(Who)
        case block(Who)
        case state(Item.State)
        /// A moderator begins a case without a report.
        case open
    }

    struct Outcome: Sendable {
        var isHidden = false
        var isFrozen = false
        /// What the last act was refused with.
        var refused: CaseError?
        /// Of the newest case.
        var state: ModerationCase.State?
        var hasReturned = false
        /// About the item, that wait.
        var waiting: Int?
        /// How many notices the author has.
        var told: Int?
        /// Of the author.
        var account: HubAccount.State?
        var mayReport = true
    }

    let rule: String
    let acts: [Act]
    let outcome: Outcome

    init(_ rule: String, _ acts: [Act], _ outcome: Outcome) {
        self.rule = rule
        self.acts = acts
        self.outcome = outcome
    }

    var testDescription: String { rule }
}

extension CaseWorld {
    func account(_ who: ItemRule.Who) -> AccountID {
        switch who {
        case .ann: ann
        case .bob: bob
        case .carl: carl
        case .dora: dora
        case .mia: mia
        case .max: max
        case .owner: owner
        }
    }

    /// Lists something.
    func item(by author: AccountID, _ title: String = "A red bicycle") async throws -> HubID {
        try await library.createItem(
            ItemDraft(
                board: "lost-and-found", kind: "found", author: author, key: HubID().text, title: title,
                text: "It stood there", category: "bicycles"))
    }

    /// A picture of somebody's.
    func picture(of owner: AccountID) async throws -> HubID {
        let id = HubID()
        try await house.change(
            """
            INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
            VALUES ('\(id)', '\(owner.rawValue)', 'ready', 1, '', 1, 1, '', 0, 1)
            """)
        return id
    }

    /// How an item is, as moderators see it.
    func look(at item: HubID) async throws -> ItemSummary { try await library.item(item, for: owner).0 }

    /// The cases about an item, the newest last.
    func cases(about item: HubID) async throws -> [ModerationCase] {
        let found =
            try await library.cases(waiting: true, for: owner, limit: 500)
            + library.cases(waiting: false, for: owner, limit: 500)
        return found.filter { $0.subject == .item(item) }.sorted { $0.created < $1.created }
    }

    /// Somebody reports something else and a moderator says whether that was right.
    private func verdict(_ isRight: Bool, of reporter: AccountID) async throws {
        house.wait(600)
        let other = try await library.post(
            PostDraft(author: dora == reporter ? carl : dora, text: "Hello", key: UUID().uuidString)
        ).sequence
        let id = try await library.report(.post(other), by: reporter, for: .abuse, text: "Here").caseID
        try await library.decide(
            id, Verdict(isRight ? .hide : .show, why: "so it is"), by: reporter == max ? mia : max, from: .open)
    }

    /// Does one thing of a script; what it is refused with.
    func act(_ act: ItemRule.Act, on item: HubID) async throws -> CaseError? {
        switch act {
        case .report(let who, let reason, let text):
            house.wait(600)
            return await refusal { () async throws(CaseError) in
                try await library.report(.item(item), by: account(who), for: reason, text: text)
            }
        case .hurry(let who):
            let other = try await self.item(by: dora)
            return await refusal { () async throws(CaseError) in
                try await library.report(.item(other), by: account(who), for: .spam, text: "And this")
            }
        case .show(let who, let isOwn):
            house.wait(600)
            let picture = try await picture(of: isOwn ? account(who) : dora)
            return await refusal { () async throws(CaseError) in
                try await library.report(.item(item), by: account(who), for: .spam, text: "", picture: picture)
            }
        case .wait(let hours):
            house.wait(hours * 3600)
            try await library.settleCases()
            return nil
        case .decide(let step, let who, let days, let hides, let why, let old):
            let all = try await cases(about: item)
            let found = try #require(old ? all.dropLast().last : all.last)
            return await refusal { () async throws(CaseError) in
                try await library.decide(
                    found.id, Verdict(step, days: days, hidesPost: hides, why: why), by: account(who), from: found.state
                )
            }
        case .appeal:
            let found = try #require(try await cases(about: item).last)
            return await refusal { () async throws(CaseError) in
                try await library.appeal(found.id, by: ann, text: "That is not so")
            }
        case .answer:
            let found = try #require(try await cases(about: item).last)
            return await refusal { () async throws(CaseError) in
                try await library.answer(found.id, by: ann, text: "It is right as it is")
            }
        case .wrong(let who, let times):
            for _ in 0..<times { try await verdict(false, of: account(who)) }
        case .right(let who): try await verdict(true, of: account(who))
        case .suspend(let who):
            let id = try await library.openCase(about: .account(account(who)), by: mia)
            try await library.decide(id, Verdict(.suspension, days: 1, why: "a pause"), by: mia, from: .open)
        case .block(let who): try await library.block(account(who), by: ann)
        case .state(let state):
            try await house.change("UPDATE items SET state = '\(state.rawValue)' WHERE id = '\(item)'")
        case .open:
            house.wait(1)
            return await refusal { () async throws(CaseError) in
                _ = try await library.openCase(about: .item(item), by: mia)
            }
        }
        return nil
    }

    /// Plays a script to its end and compares.
    func expect(_ rule: ItemRule) async throws {
        let item = try await item(by: ann)
        var refused: CaseError?
        for act in rule.acts { refused = try await self.act(act, on: item) }
        // Not even moderators see a draft.
        let (found, wanted) = (try? await look(at: item), rule.outcome)
        let cases = try await cases(about: item)
        #expect(refused == wanted.refused)
        #expect((found?.isHidden ?? false) == wanted.isHidden, "hidden")
        #expect((found?.isFrozen ?? false) == wanted.isFrozen, "frozen")
        #expect((cases.last?.hasReturned ?? false) == wanted.hasReturned, "returned")
        if let state = wanted.state { #expect(cases.last?.state == state) }
        if let waiting = wanted.waiting { #expect(cases.filter(\.state.waits).count == waiting) }
        if let told = wanted.told {
            #expect(try await library.seen(by: .member(ann)).notices(limit: 20).count == told)
        }
        if let state = wanted.account { #expect(try await self.state(of: ann) == state) }
        if !wanted.mayReport {
            house.wait(600)
            let other = try await self.item(by: dora)
            let answer = await refusal { () async throws(CaseError) in
                try await library.report(.item(other), by: ann, for: .spam, text: "Look")
            }
            #expect(answer == .rightLost)
        }
    }
}
