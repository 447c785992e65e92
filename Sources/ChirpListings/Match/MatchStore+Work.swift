internal import ChirpCommunity
internal import GRDB

extension MatchStore {
    /// Takes a listing from those that are still to be compared. One that was changed since stays there: its author's change came while
    /// what it was before was being compared, and found it written down already.
    ///
    /// - Parameter version: of the listing that was compared; nil: it was not there to be compared.
    package func strike(_ listing: String, asOf version: Int?) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    DELETE FROM listingWork
                    WHERE item = ?1 AND NOT EXISTS (SELECT 1 FROM items WHERE id = ?1 AND version > ?2)
                    """
            ).execute(arguments: [listing, version ?? .max])
        }
    }
}
