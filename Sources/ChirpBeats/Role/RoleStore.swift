package import ChirpAccounts
package import ChirpCommunity
internal import ChirpDatabase
package import GRDB

/// What somebody is on the board, which says what she may offer (AR-9). Everybody may like, comment, archive, bid, buy and ask.
package enum BeatRole: String, Hashable, Sendable, CaseIterable {
    /// Offers beats.
    case producer
    /// Offers opens: a voice without its beat.
    case artist
    /// Offers nothing.
    case user

    /// What this one may offer; nil: nothing.
    package var offers: Track.Kind? {
        switch self {
        case .producer: .beat
        case .artist: .open
        case .user: nil
        }
    }
}

/// What people are on the board.
package struct RoleStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// Says what somebody is from now on. What she has offered stays, whatever she is then (AR-9). May be repeated.
    ///
    /// - Parameter roles: a user is nothing else; nothing at all is a user.
    /// - Throws: ``TrackRefusal`` for accounts that may change nothing.
    package func choose(_ roles: Set<BeatRole>, for account: AccountID) async throws(TrackRefusal) {
        var roles = roles
        if roles.count > 1 { roles.remove(.user) }
        if roles.isEmpty { roles = [.user] }
        do {
            try await library.transact { [library, roles] database in
                let now = Accounts.milliseconds(library.now())
                guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                    throw ItemRefusal.noAccount
                }
                let before = try Self.roles(of: account, in: database)
                for role in before.subtracting(roles) {
                    try database.cachedStatement(sql: "DELETE FROM beatRoles WHERE account = ? AND role = ?").execute(
                        arguments: [account, role.rawValue])
                }
                for role in roles.subtracting(before) {
                    try database.cachedStatement(sql: "INSERT INTO beatRoles (account, role, since) VALUES (?, ?, ?)")
                        .execute(arguments: [account, role.rawValue, now])
                }
            }
        } catch { throw TrackRefusal(error) }
    }

    /// What somebody is; empty: she has not said yet.
    package func roles(of account: AccountID) async throws -> Set<BeatRole> {
        try await library.reading { try Self.roles(of: account, in: $0) }
    }

    /// The same within a transaction.
    package static func roles(of account: AccountID, in database: Database) throws -> Set<BeatRole> {
        Set(
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT role FROM beatRoles WHERE account = ?"), arguments: [account]
            ).compactMap(BeatRole.init))
    }

    /// Whether somebody may offer such tracks.
    static func mayOffer(_ kind: Track.Kind, _ account: AccountID, in database: Database) throws -> Bool {
        try roles(of: account, in: database).contains { $0.offers == kind }
    }
}

/// The table of what people are on the board, as steps.
enum RoleSchema {
    static let steps = [
        SchemaStep(
            "beatRoles-001",
            """
            -- Whoever has none has not said yet. One person may be producer and artist.
            CREATE TABLE beatRoles (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                role    TEXT NOT NULL CHECK (role IN ('producer', 'artist', 'user')),
                since   INTEGER NOT NULL,
                PRIMARY KEY (account, role)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}
