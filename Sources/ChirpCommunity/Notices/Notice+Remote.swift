internal import ChirpAccounts
internal import GRDB

extension Notice {
    /// Somebody at another server who did it.
    package struct Remote: Hashable, Sendable {
        /// As in `ann@example.org`; plain text.
        package let handle: String
        /// Her page there.
        package let page: String
        /// What she has answered, and where that is to be read; plain text.
        package let reply: Reply?
        package let deed: Deed

        /// What she has done, where the kind of the notice does not say it.
        package enum Deed: Hashable, Sendable {
            case usual
            /// Has shared it, in place of liking it.
            case share
            /// Does not let the account follow her, or does so no longer.
            case refusal
            /// Is who somebody was whom the account follows; by the name that she had, plain text.
            case move(from: String)
        }

        package struct Reply: Hashable, Sendable {
            package let text: String
            package let page: String
        }
    }

    /// Writes one about what somebody elsewhere did, once for its cause, and none of whom the account has blocked. It stands on
    /// the page alone: who does it may be anybody.
    ///
    /// - Parameters:
    ///   - actor: among the remote actors.
    ///   - post: the place in the feed of the post that it is about.
    ///   - reply: among the remote replies.
    static func add(
        _ kind: Kind, to account: AccountID, by actor: Int64, post: Int64? = nil, reply: Int64? = nil, cause: String,
        at instant: Int64, in database: Database
    ) throws {
        guard try !RemotePerson.isBlocked(actor, by: account, in: database),
            try NoticeChoice.of(account, kind, in: database).onPage
        else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO notices (account, kind, cause, remote, post, reply, created) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, cause) DO NOTHING
                """
        ).execute(arguments: [account, kind.rawValue, cause, actor, post, reply, instant])
    }
}

extension Notice.Remote {
    /// Nil for a notice of what somebody here did.
    init?(_ row: Row) {
        guard let handle: String = row["remoteHandle"] else { return nil }
        self.handle = handle
        page = row["remotePage"] ?? ""
        let (text, page): (String?, String?) = (row["replyText"], row["replyPage"])
        reply = text.map { Reply(text: $0, page: page ?? "") }
        deed = Deed(cause: row["cause"])
    }
}

extension Notice.Remote.Deed {
    fileprivate init(cause: String) {
        switch cause.prefix(while: { $0 != ":" }) {
        case "announce": self = .share
        case "refusal": self = .refusal
        case "move":
            self = .move(from: String(cause.split(separator: ":", maxSplits: 2).last ?? ""))
        default: self = .usual
        }
    }
}
