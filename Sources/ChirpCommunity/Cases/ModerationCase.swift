internal import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// What was reported, or waits for a look, with everything that was said and decided about it.
package struct ModerationCase: Hashable, Sendable, Identifiable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Nobody has decided yet.
        case open
        /// Decided; the one whom it concerns may appeal.
        case decided
        /// Waits for another moderator.
        case appealed
        /// Decided after an appeal: nothing follows.
        case closed

        /// Whether somebody has to decide.
        package var waits: Bool { self == .open || self == .appealed }
    }

    /// One person's report.
    package struct Report: Hashable, Sendable {
        /// Nil for somebody who is gone.
        package let reporter: PostAuthor?
        package let reason: ReportReason
        /// Plain text.
        package let text: String
        package let at: Date
        /// What shows it, among the pictures; nil: words alone.
        package var picture: HubID?
        /// The server that reports, when it is nobody here.
        package var server: String?
    }

    package let id: String
    package let subject: CaseSubject
    /// Whose it is.
    package let account: PostAuthor
    /// It is about whose an item is, between its author and those who say that it is theirs.
    package let isClaim: Bool
    package let state: State
    /// By when somebody should have looked.
    package let deadline: Date
    /// Reports have taken what it is about from sight.
    package let hides: Bool
    /// It has returned by itself, and nobody has looked yet.
    package let hasReturned: Bool
    /// Whether the reports were right, once that is decided.
    package let isUpheld: Bool?
    /// What its author said before the decision, and against it; plain text.
    package var answer: String
    package var appeal: String
    package let created: Date
    /// Nil for one that is gone.
    package var post: HubPost?
    /// Nil for one that is gone, or that the reader may not see.
    package var item: ItemSummary?
    /// Nil for one that is gone.
    package var comment: CommentSummary?
    package var reports: [Report] = []
    package var decisions: [Decision] = []

    /// Whether the one whom it concerns may appeal.
    package var canBeAppealed: Bool { state == .decided && isUpheld == true }

    /// - Parameter row: all of `cases`, and the `handle` and `name` of its account.
    init?(_ row: Row) {
        guard let subject = CaseSubject(kind: row["kind"], about: row["about"]) else { return nil }
        id = row["id"]
        self.subject = subject
        account = PostAuthor(id: row["account"], handle: row["handle"], name: row["name"])
        isClaim = row["claim"]
        state = State(rawValue: row["state"]) ?? .closed
        deadline = HubLibrary.date(row["deadline"])
        let hiding: Int = row["hides"]
        hides = hiding == 1
        hasReturned = hiding == 2
        isUpheld = row["upheld"]
        answer = row["answer"]
        appeal = row["appeal"]
        created = HubLibrary.date(row["created"])
    }
}

/// One row of the log: what a moderator has decided. It is never changed.
package struct Decision: Hashable, Sendable, Identifiable {
    /// Its place in the log.
    package let id: Int64
    /// Nil for what is about no case, such as a role.
    package let caseID: String?
    /// Nil for somebody who is gone, and where the reader is not told.
    package var moderator: PostAuthor?
    /// Whom it concerns; nil for nobody, and for somebody who is gone.
    package let account: PostAuthor?
    /// The name of a ``Verdict/Step``, or `role`, `registration`, `address`.
    package let what: String
    package let until: Date?
    /// Plain text.
    package let why: String
    package let at: Date

    /// As the table of letters keeps it. Pages and letters have their own words, in the reader's language.
    var nameInTable: String {
        if let step = Verdict.Step(rawValue: what) { return step.nameInTable }
        return switch what {
        case "role": "Role"
        case "registration": "Registration"
        case "address": "Address banned"
        case "address-free": "Address free again"
        case "domain-blocked": "Server blocked"
        case "domain-allowed": "Server allowed"
        case "domain-free": "Server free again"
        case "allow-list": "Allowed servers alone"
        default: what
        }
    }

    /// What a query of decisions selects and joins.
    static let selection = """
        SELECT decisions.*, moderators.handle AS byHandle, moderators.name AS byName,
            concerned.handle AS handle, concerned.name AS name
        FROM decisions LEFT JOIN accounts AS moderators ON moderators.id = decisions."by"
        LEFT JOIN accounts AS concerned ON concerned.id = decisions.account
        """

    init(_ row: Row) {
        id = row["sequence"]
        caseID = row["case"]
        moderator = (row["by"] as AccountID?).map {
            PostAuthor(id: $0, handle: row["byHandle"] ?? "", name: row["byName"] ?? "")
        }
        account = (row["account"] as AccountID?).map {
            PostAuthor(id: $0, handle: row["handle"] ?? "", name: row["name"] ?? "")
        }
        what = row["what"]
        until = (row["until"] as Int64?).map(HubLibrary.date)
        why = row["why"]
        at = HubLibrary.date(row["at"])
    }
}
