import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import HubHousehold
import Testing

/// The rules of reports and decisions about what boards list as one table (LF-6, LF-16, LF-18), with a clock that is moved.
@Suite(.tags(.computing)) struct ItemRuleTests {
    typealias Outcome = ItemRule.Outcome

    @Test(arguments: reports) func `a report of an item hides it as long as the rules say`(rule: ItemRule) async throws
    {
        try await CaseWorld().expect(rule)
    }

    @Test(arguments: ownership) func `a dispute about whose an item is freezes it`(rule: ItemRule) async throws {
        try await CaseWorld().expect(rule)
    }

    @Test(arguments: decisions) func `a decision about an item does what the ladder says`(rule: ItemRule) async throws {
        try await CaseWorld().expect(rule)
    }

    @Test func `the table has sixty rows and more, each with a name of its own`() {
        let names = (Self.reports + Self.ownership + Self.decisions).map(\.rule)
        #expect(names.count >= 60 && Set(names).count == names.count)
    }

    private static let hidden = Outcome(isHidden: true, state: .open, waiting: 1)
    private static func refused(_ error: CaseError, waiting: Int = 0) -> Outcome {
        Outcome(refused: error, waiting: waiting)
    }
    private static func hiddenAnd(_ error: CaseError) -> Outcome {
        Outcome(isHidden: true, refused: error, state: .open, waiting: 1)
    }

    /// LF-6.
    private static let reports: [ItemRule] = [
        ItemRule("nobody has reported it", [], Outcome(waiting: 0, told: 0)),
        ItemRule("one report hides", [.report(.bob)], hidden),
        ItemRule("a picture instead of words will do", [.show(.bob)], hidden),
        ItemRule(
            "somebody else's picture will not", [.show(.bob, ownPicture: false)],
            refused(.refused(field: "picture", .noPicture))),
        ItemRule(
            "a report needs words or a picture", [.report(.bob, text: "")],
            refused(.refused(field: "text", .reportWithoutWords))),
        ItemRule(
            "white space is no words", [.report(.bob, text: " \n ")],
            refused(.refused(field: "text", .reportWithoutWords))),
        ItemRule("one report per person and item", [.report(.bob), .report(.bob, .abuse)], hiddenAnd(.already)),
        ItemRule(
            "also after the case was decided", [.report(.bob), .decide(.show), .report(.bob, .abuse)],
            Outcome(refused: .already, state: .decided, waiting: 0)),
        ItemRule("nobody reports what is her own", [.report(.ann)], refused(.own)),
        ItemRule(
            "one in 5 minutes", [.report(.bob), .wait(299.0 / 3600), .hurry(.bob)],
            hiddenAnd(.tooOften(seconds: 1))),
        ItemRule("and another one then", [.report(.bob), .wait(300.0 / 3600), .hurry(.bob)], hidden),
        ItemRule("hidden for a day", [.report(.bob), .wait(23.99)], hidden),
        ItemRule(
            "no longer", [.report(.bob), .wait(24)],
            Outcome(state: .open, hasReturned: true, waiting: 1)),
        ItemRule(
            "no second day in the same case", [.report(.bob), .wait(24), .report(.carl)],
            Outcome(state: .open, hasReturned: true, waiting: 1)),
        ItemRule(
            "not for another reason either", [.report(.bob), .wait(24), .report(.carl, .danger)],
            Outcome(state: .open, hasReturned: true, waiting: 1)),
        ItemRule(
            "a second report does not make the day longer", [.report(.bob), .wait(20), .report(.carl), .wait(4)],
            Outcome(state: .open, hasReturned: true, waiting: 1)),
        ItemRule(
            "judged valid it is back at once", [.report(.bob), .decide(.show)],
            Outcome(state: .decided, waiting: 0, told: 2)),
        ItemRule(
            "judged valid after it has returned", [.report(.bob), .wait(30), .decide(.show)],
            Outcome(state: .decided, waiting: 0)),
        ItemRule(
            "not hidden again for a reason that was wrong", [.report(.bob), .decide(.show), .report(.carl)],
            Outcome(state: .open, waiting: 1)),
        ItemRule("hidden again for another", [.report(.bob), .decide(.show), .report(.carl, .danger)], hidden),
        ItemRule(
            "each reason is judged by itself",
            [.report(.bob), .decide(.show), .report(.carl, .danger), .decide(.show), .report(.dora)],
            Outcome(state: .open, waiting: 1)),
        ItemRule(
            "a reason that was right hides again",
            [
                .report(.bob), .decide(.warning, hides: false), .report(.carl),
            ], hidden),
        ItemRule(
            "a reason that an appeal found wrong does not",
            [
                .report(.bob), .decide(.warning), .appeal, .decide(.show, by: .max), .report(.carl),
            ], Outcome(state: .open, waiting: 1)),
        ItemRule("the author is told at once", [.report(.bob)], Outcome(isHidden: true, told: 1)),
        ItemRule(
            "and once in a case", [.report(.bob), .report(.carl), .report(.dora)],
            Outcome(isHidden: true, waiting: 1, told: 1)),
        ItemRule("to answer ends nothing", [.report(.bob), .answer], Outcome(isHidden: true, state: .open, told: 1)),
        ItemRule("one answers once", [.report(.bob), .answer, .answer], hiddenAnd(.changedMeanwhile)),
        ItemRule(
            "who was wrong three times running hides nothing", [.wrong(.bob, 3), .report(.bob)],
            Outcome(state: .open, waiting: 1, told: 1)),
        ItemRule("who was wrong twice does", [.wrong(.bob, 2), .report(.bob)], hidden),
        ItemRule("who was right since then does", [.wrong(.bob, 3), .right(.bob), .report(.bob)], hidden),
        ItemRule(
            "who was right before does not", [.right(.bob), .wrong(.bob, 3), .report(.bob)],
            Outcome(state: .open, waiting: 1)),
        ItemRule("somebody else's report hides then", [.wrong(.bob, 3), .report(.bob), .report(.carl)], hidden),
        ItemRule("a moderator's hides always", [.wrong(.max, 3), .report(.max)], hidden),
        ItemRule("what is hidden can still be reported", [.report(.bob), .report(.carl)], hidden),
        ItemRule(
            "what a decision has hidden cannot", [.report(.bob), .decide(.hide), .report(.carl)],
            Outcome(isHidden: true, refused: .notFound, state: .decided)),
        ItemRule("suspended people report nothing", [.suspend(.bob), .report(.bob)], refused(.notActive)),
        ItemRule("what was withdrawn is reported by nobody", [.state(.withdrawn), .report(.bob)], refused(.notFound)),
        ItemRule("a draft is seen by nobody", [.state(.draft), .report(.bob)], refused(.notFound)),
        ItemRule("what was settled can be reported", [.state(.settled), .report(.bob)], hidden),
        ItemRule("who is blocked sees nothing to report", [.block(.bob), .report(.bob)], refused(.notFound)),
    ]

    /// LF-18.
    private static let ownership: [ItemRule] = [
        ItemRule(
            "ownership needs proof", [.report(.bob, .ownership, text: "")],
            refused(.refused(field: "text", .ownershipWithoutProof))),
        ItemRule(
            "it freezes and hides nothing", [.report(.bob, .ownership)],
            Outcome(isFrozen: true, state: .open, waiting: 1, told: 1)),
        ItemRule(
            "until it is decided, however long", [.report(.bob, .ownership), .wait(72)],
            Outcome(isFrozen: true, state: .open, waiting: 1)),
        ItemRule("it is the author's", [.report(.bob, .ownership), .decide(.show)], Outcome(state: .decided, told: 2)),
        ItemRule(
            "it is not the author's", [.report(.bob, .ownership), .decide(.hide)],
            Outcome(isHidden: true, state: .decided, told: 2)),
        ItemRule(
            "it stays frozen", [.report(.bob, .ownership), .decide(.freeze)],
            Outcome(isFrozen: true, state: .decided)),
        ItemRule(
            "frozen, appealed, free",
            [
                .report(.bob, .ownership), .decide(.freeze), .appeal, .decide(.show, by: .max),
            ], Outcome(state: .closed)),
        ItemRule(
            "frozen, appealed, frozen",
            [
                .report(.bob, .ownership), .decide(.freeze), .appeal, .decide(.uphold, by: .max),
            ], Outcome(isFrozen: true, state: .closed)),
        ItemRule(
            "frozen, and restored later", [.report(.bob, .ownership), .decide(.freeze), .open, .decide(.restore)],
            Outcome(state: .decided)),
        ItemRule(
            "two people say so in one case", [.report(.bob, .ownership), .report(.carl, .ownership)],
            Outcome(isFrozen: true, state: .open, waiting: 1, told: 1)),
        ItemRule(
            "another report is another case", [.report(.bob, .ownership), .report(.carl)],
            Outcome(isHidden: true, isFrozen: true, waiting: 2, told: 2)),
        ItemRule(
            "to end the other one leaves it frozen",
            [
                .report(.bob, .ownership), .report(.carl), .decide(.show),
            ], Outcome(isFrozen: true, state: .decided, waiting: 1)),
        ItemRule(
            "to end this one leaves it hidden",
            [
                .report(.bob, .ownership), .report(.carl), .decide(.show, old: true),
            ], Outcome(isHidden: true, state: .open, waiting: 1)),
        ItemRule(
            "the other one's day passes", [.report(.bob, .ownership), .report(.carl), .wait(24)],
            Outcome(isFrozen: true, state: .open, hasReturned: true, waiting: 2)),
        ItemRule(
            "a new one freezes again", [.report(.bob, .ownership), .decide(.show), .report(.carl, .ownership)],
            Outcome(isFrozen: true, state: .open, waiting: 1)),
        ItemRule(
            "who was wrong three times running freezes nothing", [.wrong(.bob, 3), .report(.bob, .ownership)],
            Outcome(state: .open, waiting: 1)),
        ItemRule(
            "one report per person, of whatever kind", [.report(.bob), .report(.bob, .ownership)],
            hiddenAnd(.already)),
    ]

    /// LF-16.
    private static let decisions: [ItemRule] = [
        ItemRule(
            "a notice", [.report(.bob), .decide(.notice, hides: false)],
            Outcome(state: .decided, told: 2, account: .active)),
        ItemRule(
            "a notice that hides it", [.report(.bob), .decide(.notice)], Outcome(isHidden: true, state: .decided)),
        ItemRule(
            "a warning", [.report(.bob), .decide(.warning)],
            Outcome(isHidden: true, state: .decided, told: 2, account: .active)),
        ItemRule(
            "reporting right lost", [.report(.bob), .decide(.limit, hides: false)],
            Outcome(state: .decided, told: 2, account: .active, mayReport: false)),
        ItemRule(
            "reporting right lost for a while", [.report(.bob), .decide(.limit, days: 3, hides: false), .wait(71)],
            Outcome(state: .decided, mayReport: false)),
        ItemRule(
            "and back",
            [
                .report(.bob), .decide(.limit, days: 3, hides: false), .wait(73), .hurry(.ann),
            ], Outcome(state: .decided)),
        ItemRule(
            "reporting right back after an appeal",
            [
                .report(.bob), .decide(.limit, hides: false), .appeal, .decide(.show, by: .max), .hurry(.ann),
            ], Outcome(state: .closed)),
        ItemRule(
            "a suspension ends", [.report(.bob), .decide(.suspension, days: 1, hides: false), .wait(24)],
            Outcome(state: .decided, account: .active)),
        ItemRule(
            "a suspension lifted by an appeal",
            [
                .report(.bob), .decide(.suspension, days: 30), .appeal, .decide(.show, by: .max),
            ], Outcome(state: .closed, account: .active)),
        ItemRule(
            "no suspension of 31 days", [.report(.bob), .decide(.suspension, days: 31)],
            hiddenAnd(.refused(field: "days", .suspensionDays))),
        ItemRule(
            "none of no days", [.report(.bob), .decide(.suspension, days: 0)],
            hiddenAnd(.refused(field: "days", .suspensionDays))),
        ItemRule(
            "none without days", [.report(.bob), .decide(.suspension)],
            hiddenAnd(.refused(field: "days", .suspensionDays))),
        ItemRule(
            "an account closed", [.report(.bob), .decide(.closing)],
            Outcome(isHidden: true, state: .decided, account: .closed)),
        ItemRule(
            "an address banned", [.report(.bob), .decide(.ban)],
            Outcome(isHidden: true, state: .decided, account: .closed)),
        ItemRule(
            "an account opened again by an appeal",
            [
                .report(.bob), .decide(.closing), .appeal, .decide(.show, by: .max),
            ], Outcome(state: .closed, account: .active)),
        ItemRule(
            "a decision needs its reason", [.report(.bob), .decide(.warning, why: " ")],
            hiddenAnd(.refused(field: "why", .decisionWithoutReason))),
        ItemRule("members decide nothing", [.report(.bob), .decide(.show, by: .carl)], hiddenAnd(.notAllowed)),
        ItemRule("nor who has reported it", [.report(.max), .decide(.hide, by: .max)], hiddenAnd(.involved)),
        ItemRule(
            "what is decided is decided", [.report(.bob), .decide(.show), .decide(.hide)],
            Outcome(refused: .changedMeanwhile, state: .decided)),
        ItemRule(
            "only appeals are upheld", [.report(.bob), .decide(.uphold)],
            hiddenAnd(.refused(field: "what", .onlyAppeals))),
        ItemRule(
            "an appeal waits", [.report(.bob), .decide(.warning), .appeal],
            Outcome(isHidden: true, state: .appealed, waiting: 1)),
        ItemRule(
            "it is made once", [.report(.bob), .decide(.warning), .appeal, .appeal],
            Outcome(isHidden: true, refused: .changedMeanwhile, state: .appealed)),
        ItemRule(
            "and reaches somebody else", [.report(.bob), .decide(.warning), .appeal, .decide(.show)],
            Outcome(isHidden: true, refused: .involved, state: .appealed)),
        ItemRule(
            "who says that it was right", [.report(.bob), .decide(.warning), .appeal, .decide(.show, by: .max)],
            Outcome(state: .closed, told: 3)),
        ItemRule(
            "or that it was not", [.report(.bob), .decide(.warning), .appeal, .decide(.uphold, by: .max)],
            Outcome(isHidden: true, state: .closed, told: 3)),
        ItemRule(
            "nothing follows",
            [
                .report(.bob), .decide(.warning), .appeal, .decide(.uphold, by: .max), .appeal,
            ], Outcome(isHidden: true, refused: .changedMeanwhile, state: .closed)),
        ItemRule(
            "there is no appeal against being right", [.report(.bob), .decide(.show), .appeal],
            Outcome(refused: .changedMeanwhile, state: .decided)),
        ItemRule(
            "a moderator hides without a report", [.open, .decide(.hide)],
            Outcome(isHidden: true, state: .decided, told: 1)),
        ItemRule(
            "what a decision hides stays hidden", [.open, .decide(.hide), .wait(1000)],
            Outcome(isHidden: true, state: .decided)),
        ItemRule(
            "and is restored by another", [.open, .decide(.hide), .open, .decide(.restore, by: .max)],
            Outcome(state: .decided, told: 2)),
        ItemRule(
            "to find nothing wrong later restores nothing", [.open, .decide(.hide), .open, .decide(.show)],
            Outcome(isHidden: true, state: .decided)),
        ItemRule(
            "a moderator freezes without a report", [.open, .decide(.freeze)],
            Outcome(isFrozen: true, state: .decided)),
    ]
}
