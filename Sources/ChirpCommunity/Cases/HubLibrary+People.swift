package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// An account as moderators see it: never with its mail address.
package struct ModeratedPerson: Hashable, Sendable {
    package let author: PostAuthor
    package let role: HubAccount.Role
    /// `unconfirmed`, `active`, `suspended` or `closed`.
    package let state: String
    package let until: Date?
    package let created: Date
    /// Whether the moderator who asks sees a page of theirs: not of whoever is closed, waits, or has blocked her.
    package let hasPage: Bool
}

extension HubLibrary {
    /// The accounts whose handle or name has a text in it, by handle, for a moderator; closed ones too.
    package func people(
        matching text: String, for moderator: AccountID, limit: Int = 100
    ) async throws(CaseError) -> [ModeratedPerson] {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT id, handle, name, role, created, until, state IN ('active', 'suspended')
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = accounts.id AND blocked = :me) AS hasPage,
                        CASE WHEN state = 'suspended' AND until <= :now THEN 'active' ELSE state END AS state
                    FROM accounts WHERE instr(handle, lower(:text)) > 0 OR instr(lower(name), lower(:text)) > 0
                    ORDER BY handle LIMIT \(limit)
                    """, arguments: ["now": now, "text": text, "me": moderator]
            ).map { row in
                let state: String = row["state"]
                return ModeratedPerson(
                    author: PostAuthor(row), role: HubAccount.Role(rawValue: row["role"]) ?? .member, state: state,
                    until: state == "suspended" ? (row["until"] as Int64?).map(Self.date) : nil,
                    created: Self.date(row["created"]), hasPage: row["hasPage"])
            }
        }
    }
}
