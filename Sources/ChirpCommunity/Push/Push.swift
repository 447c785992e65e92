internal import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Something that a browser is to be told, by its maker's push service.
package struct Push: Hashable, Sendable, Identifiable {
    package let id: Int64
    /// Which browser is told.
    package let browser: Browser
    /// What it came of, for whom; the same however often it is sent.
    package let cause: String
    /// A kind of notice, by its name in the tables.
    package let kind: String
    /// The handle of who did it; empty for nobody.
    package let actor: String
    /// Where it is to be seen, without what links begin with.
    package let path: String
    /// How often it failed.
    package let tries: Int
    package let created: Date

    /// A browser that was subscribed.
    package struct Browser: Hashable, Sendable {
        package let id: String
        /// Secret: whoever knows it may send there.
        package let endpoint: String
        package let key: [UInt8]
        package let secret: [UInt8]
        /// By the code of ISO 639-1.
        package let language: String
    }

    /// The most causes of which an account's browsers are told in an hour: what strangers do must not keep a telephone ringing.
    package static let mostAnHour = 30
    private static let hour: Int64 = 3600 * 1000

    /// Writes down, within the transaction of a notice, that the browsers of its account are to be told: each once for its cause, and
    /// only of what the account wants.
    static func enqueue(
        _ draft: Notice.Draft, _ choice: NoticeChoice, at instant: Int64, in database: Database
    ) throws {
        guard choice.byPush, let path = try path(of: draft, in: database) else { return }
        let told = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(DISTINCT cause) FROM pushes WHERE account = ? AND created > ?"),
            arguments: [draft.account, instant - hour])
        guard told ?? 0 < mostAnHour else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO pushes (subscription, account, cause, kind, actor, post, path, state, next, created)
                SELECT id, account, :cause, :kind, :actor, :post, :path, 'waiting', :now, :now
                FROM pushSubscriptions WHERE account = :account
                ON CONFLICT (subscription, cause) DO NOTHING
                """
        ).execute(arguments: [
            "cause": draft.cause, "kind": draft.kind.rawValue, "actor": draft.actor, "post": draft.post,
            "path": path, "now": instant, "account": draft.account,
        ])
    }

    private static func path(of draft: Notice.Draft, in database: Database) throws -> String? {
        if draft.kind == .moderation { return "/settings/standing" }
        return try Notice.place(of: draft, in: database)?.path
    }
}
