package import GRDB

/// What somebody may do at one instant, for rights that are asked for in the transaction that uses them.
package struct AccountStanding: Hashable, Sendable {
    package let role: HubAccount.Role
    /// Neither suspended nor closed, and the mail address is confirmed.
    package let isActive: Bool
    /// Of the confirmed mail address (``MailAddress/mailbox``): who has several accounts has the same in all. Nil without an address.
    package let mailbox: String?

    /// Moderators and the owner.
    package var isModerator: Bool { isActive && role > .member }

    /// Nil when there is no such account.
    ///
    /// - Parameter now: in ms; a suspension that has ended by then is none.
    package init?(of account: AccountID, at now: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT role, mail, state, state = 'active' OR (state = 'suspended' AND until <= ?) AS isActive
                    FROM accounts WHERE id = ?
                    """), arguments: [now, account])
        guard let row else { return nil }
        role = HubAccount.Role(rawValue: row["role"]) ?? .member
        isActive = row["isActive"] ?? false
        let isConfirmed = (row["state"] as String) != "unconfirmed"
        mailbox = isConfirmed ? (row["mail"] as String?).map { MailAddress(stored: $0).mailbox } : nil
    }

    /// Who decides at that instant: moderators and the owner.
    package static func moderators(at now: Int64, in database: Database) throws -> [AccountID] {
        try AccountID.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM accounts WHERE role IN ('moderator', 'owner')
                        AND (state = 'active' OR (state = 'suspended' AND until <= ?)) ORDER BY rowid
                    """), arguments: [now])
    }
}
