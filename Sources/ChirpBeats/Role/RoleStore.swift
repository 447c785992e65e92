package import ChirpAccounts
package import ChirpCommunity
package import GRDB

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
