package import ChirpAccounts

/// What a report or a case is about.
package enum CaseSubject: Hashable, Sendable {
    /// A post, by its place in the feed.
    case post(Int64)
    case account(AccountID)

    /// As the tables have it.
    var kind: String {
        switch self {
        case .post: "post"
        case .account: "account"
        }
    }

    /// As the tables have it.
    var about: String {
        switch self {
        case .post(let sequence): "\(sequence)"
        case .account(let account): account.rawValue
        }
    }

    /// Nil for what no table has.
    init?(kind: String, about: String) {
        switch kind {
        case "post":
            guard let sequence = Int64(about) else { return nil }
            self = .post(sequence)
        case "account": self = .account(AccountID(rawValue: about))
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
}
