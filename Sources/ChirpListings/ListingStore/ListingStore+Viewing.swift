package import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

extension ListingStore {
    /// Somebody has opened a listing. It is kept for her alone, unless she does not want that (LF-10).
    package func open(_ listing: Listing, by account: AccountID) async throws {
        guard listing.item.author.id != account, try await keepsViewed(account) else { return }
        try await library.mark(listing.id, .view, isOn: true, by: account)
    }

    /// Whether it is kept what an account has looked at.
    package func keepsViewed(_ account: AccountID) async throws -> Bool {
        try await library.reading { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM listingsUnkept WHERE account = ?"), arguments: [account])
                != true
        }
    }

    /// Whoever switches it off forgets what was kept.
    package func keepViewed(_ keeps: Bool, by account: AccountID) async throws {
        try await library.transact { database in
            try database.execute(
                sql: keeps
                    ? "DELETE FROM listingsUnkept WHERE account = ?"
                    : "INSERT OR IGNORE INTO listingsUnkept (account) VALUES (?)", arguments: [account])
        }
        if !keeps { try await forgetViewed(account) }
    }

    /// Takes all of them away.
    package func forgetViewed(_ account: AccountID) async throws {
        try await library.clearMarks(.view, of: account)
    }
}
