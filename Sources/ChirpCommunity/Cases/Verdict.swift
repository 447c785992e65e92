internal import ChirpAccounts
internal import ChirpCore

/// What a moderator decides about a case.
package struct Verdict: Hashable, Sendable {
    /// The steps of the ladder, the lightest first (LF-16).
    package enum Step: String, Hashable, Sendable, CaseIterable {
        /// Nothing is wrong; what was hidden is shown again.
        case show
        /// An appeal is refused: what was decided stays.
        case uphold
        /// An item is shown and can be changed again, whatever was decided before: what was wrong was mended.
        case restore
        /// The post, the item or the comment is taken from sight.
        case hide
        /// An item stays as it is: its author neither changes it nor takes it back.
        case freeze
        /// The author is told.
        case notice
        case warning
        /// The account may not report any more.
        case limit
        /// The account reads and does nothing else, for 1 to 30 days.
        case suspension
        /// The account is closed: nobody signs in, and its posts are gone.
        case closing
        /// The same, and nobody signs up with its mail address again.
        case ban

        /// As the table of letters keeps it. Pages and letters have their own words, in the reader's language.
        package var nameInTable: String {
            switch self {
            case .show: "Nothing is wrong"
            case .uphold: "The decision stays"
            case .restore: "Restored"
            case .hide: "Hidden"
            case .freeze: "Frozen"
            case .notice: "Notice"
            case .warning: "Warning"
            case .limit: "Right to report taken away"
            case .suspension: "Suspended"
            case .closing: "Account closed"
            case .ban: "Account closed and mail address banned"
            }
        }

        /// What it leaves in the table of sanctions.
        var sanction: String? {
            switch self {
            case .show, .uphold, .restore, .hide, .freeze, .notice: nil
            case .warning, .limit, .suspension, .closing, .ban: rawValue
            }
        }

        /// Whether it is for accounts of members alone: what moderators and the owner have is the owner's business.
        var isHeavy: Bool { [.limit, .suspension, .closing, .ban].contains(self) }

        /// Whether it is something that can be decided about an item alone.
        package var isForItems: Bool { self == .restore || self == .freeze }
    }

    package var step: Step
    /// Of a suspension (1 to 30), or for how long the right to report is lost; nil: for good.
    package var days: Int?
    /// For notices and what is above them: whether the post, item or comment that it is about is taken from sight, too.
    package var hidesPost = true
    /// The reason, which the person reads.
    package var why: String

    package init(_ step: Step, days: Int? = nil, hidesPost: Bool = true, why: String) {
        self.step = step
        self.days = days
        self.hidesPost = hidesPost
        self.why = why
    }

    /// How long a suspension may be.
    package static let suspensions = 1...30
    /// The most characters of reasons, reports, answers and appeals.
    package static let longestText = 1000

    /// Whether what it is about is out of sight from then on.
    var hidesItem: Bool {
        switch step {
        case .show, .uphold, .restore, .freeze: false
        case .hide: true
        case .notice, .warning, .limit, .suspension, .closing, .ban: hidesPost
        }
    }

    /// What it must be like, whatever it is about.
    func checked() throws(CaseError) -> Verdict {
        var verdict = self
        verdict.why = try Self.text(why, field: "why", .decisionWithoutReason)
        switch step {
        case .suspension:
            guard let days, Self.suspensions.contains(days) else {
                throw .refused(field: "days", .suspensionDays)
            }
        case .limit:
            guard days.map((1...3650).contains) ?? true else {
                throw .refused(field: "days", .days)
            }
        default: verdict.days = nil
        }
        return verdict
    }
}

extension Verdict {
    /// Words that a person has typed, made plain.
    ///
    /// - Parameter needed: what to say when there are none; nil: there may be none.
    static func text(_ typed: String, field: String, _ needed: CaseFault? = nil) throws(CaseError) -> String {
        // One more than is taken tells that there is more.
        let text = PlainText(typed, limit: longestText + 1).value
        guard text.isWithin(longestText) else {
            throw .refused(field: field, .tooLong)
        }
        if text.isEmpty, let needed { throw .refused(field: field, needed) }
        return text
    }
}
