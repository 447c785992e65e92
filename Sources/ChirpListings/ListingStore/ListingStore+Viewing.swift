package import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

extension ListingStore {
    /// Somebody has opened a listing. It is kept for her alone, unless she does not want that (LF-10).
    package func open(_ listing: Listing, by account: AccountID) async throws {
        guard listing.item.author.id != account, try await keepsViewed(account) else { return }
        try await library.transact { [library] database in
            // She may have switched it off since: what she has just forgotten would be there again.
            guard try Self.keepsViewed(account, in: database) else { return }
            try Items.mark(listing.id, .view, isOn: true, by: account, library: library, in: database)
        }
    }

    /// Whether it is kept what an account has looked at.
    package func keepsViewed(_ account: AccountID) async throws -> Bool {
        try await library.reading { try Self.keepsViewed(account, in: $0) }
    }

    private static func keepsViewed(_ account: AccountID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM listingsUnkept WHERE account = ?"), arguments: [account])
            != true
    }

    /// Whoever switches it off forgets what was kept.
    package func keepViewed(_ keeps: Bool, by account: AccountID) async throws {
        try await library.transact { database in
            try database.execute(
                sql: keeps
                    ? "DELETE FROM listingsUnkept WHERE account = ?"
                    : "INSERT OR IGNORE INTO listingsUnkept (account) VALUES (?)", arguments: [account])
            if !keeps { try Items.clearMarks(.view, of: account, in: database) }
        }
    }

    /// Takes all of them away.
    package func forgetViewed(_ account: AccountID) async throws {
        try await library.clearMarks(.view, of: account)
    }
}
