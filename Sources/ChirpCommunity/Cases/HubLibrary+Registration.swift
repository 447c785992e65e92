package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Who may sign up, and why.
package struct RegistrationState: Hashable, Sendable {
    /// What the owner has set, or else the configuration.
    package let chosen: Registration
    /// When a moderator was seen last.
    package let seen: Date
    /// Nobody was seen for ``longestAbsence``: an open hub has closed by itself, until somebody is back.
    package let isUnattended: Bool

    /// What holds now. Invitations are made by somebody, so they work on.
    package var now: Registration { isUnattended && chosen == .open ? .closed : chosen }

    /// In seconds.
    package static let longestAbsence = 14 * 24 * 3600.0
}

extension HubLibrary {
    /// Who may sign up now.
    ///
    /// - Parameter configured: what holds while the owner has set nothing.
    package func registration(configured: Registration) async throws(LibraryError) -> RegistrationState {
        let now = Self.milliseconds(now())
        return try await read { database in
            let stored = try String.fetchOne(
                database.cachedStatement(sql: "SELECT value FROM hubSettings WHERE name = 'registration'"))
            // Who has just made the hub was there.
            let seen = try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT MAX(MAX(accounts.created, COALESCE(moderatorsSeen.at, 0)))
                        FROM accounts LEFT JOIN moderatorsSeen ON moderatorsSeen.account = accounts.id
                        WHERE accounts.role IN ('moderator', 'owner') AND accounts.state = 'active'
                        """))
            return RegistrationState(
                chosen: stored.flatMap(Registration.init) ?? configured, seen: Self.date(seen ?? 0),
                isUnattended: (seen ?? 0) <= now - Int64(clamping: RegistrationState.longestAbsence * 1000))
        }
    }

    /// Sets who may sign up, in place of what the configuration says.
    ///
    /// - Throws: ``CaseError/notAllowed`` for everybody but the owner.
    package func setRegistration(_ registration: Registration, by owner: AccountID) async throws(CaseError) {
        let now = Self.milliseconds(now())
        try await act { database in
            try Self.checkOwner(owner, at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO hubSettings (name, value) VALUES ('registration', :value)
                    ON CONFLICT (name) DO UPDATE SET value = :value
                    """
            ).execute(arguments: ["value": registration.rawValue])
            _ = try Self.log(
                "registration", case: nil, by: owner, account: nil, why: registration.rawValue, at: now, in: database)
        }
    }
}
