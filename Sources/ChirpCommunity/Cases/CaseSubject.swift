package import ChirpAccounts

/// What a report or a case is about.
package enum CaseSubject: Hashable, Sendable {
    /// A post, by its place in the feed.
    case post(Int64)
    case account(AccountID)
    /// An entry of a board, or what somebody has sent to one (``ItemParts``).
    case item(HubID)
    /// What somebody says about an entry of a board.
    case comment(HubID)

    /// As the tables have it.
    var kind: String {
        switch self {
        case .post: "post"
        case .account: "account"
        case .item: "item"
        case .comment: "comment"
        }
    }

    /// As the tables have it.
    var about: String {
        switch self {
        case .post(let sequence): "\(sequence)"
        case .account(let account): account.rawValue
        case .item(let id), .comment(let id): id.text
        }
    }

    /// Nil for what no table has.
    init?(kind: String, about: String) {
        switch kind {
        case "post":
            guard let sequence = about.safeInteger else { return nil }
            self = .post(sequence)
        case "account": self = .account(AccountID(rawValue: about))
        case "item":
            guard let id = HubID(about) else { return nil }
            self = .item(id)
        case "comment":
            guard let id = HubID(about) else { return nil }
            self = .comment(id)
        default: return nil
        }
    }
}

/// Why somebody reports something. The names are those of the Mastodon API where it has one.
package enum ReportReason: String, Hashable, Sendable, CaseIterable {
    case spam, abuse, danger, legal
    /// Breaks one of the hub's rules.
    case violation
    case other
    /// "Mine": an item is another's than its author's (LF-18). It opens a case between both.
    case ownership

    /// What can be said of something: of items also whose they are.
    package static func choices(about subject: CaseSubject) -> [ReportReason] {
        if case .item = subject { return allCases }
        return allCases.filter { $0 != .ownership }
    }
}
