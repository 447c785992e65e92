internal import ChirpBoards
internal import ChirpCommunity
internal import GRDB
internal import Logging

/// What is left to do after listings were placed or changed: to compare them with the other side, and to look who waits for such a one.
/// Rows say what that is, written by the transaction that placed them, so that a process that dies leaves it to the next one.
struct ListingWork {
    private let desk: BoardDesk
    private let store: ListingStore

    init(_ desk: BoardDesk) {
        self.desk = desk
        store = ListingStore(library: desk.library)
    }

    /// Does what there is, and tells people of what came of it.
    func run() async {
        do {
            try await catchUp()
            try await MatchStore(library: desk.library).tell()
            try await AlertStore(library: desk.library).tell()
        } catch {
            // A hub that ends leaves it to the next one.
            if !Task.isCancelled { desk.logger.warning("listings are not compared yet: \(error)") }
        }
    }

    /// So many are taken up at once.
    private static let most = 200

    private func catchUp() async throws {
        while try await takeUp() == Self.most { try Task.checkCancellation() }
    }

    /// - Returns: how many there were.
    private func takeUp() async throws -> Int {
        let library = desk.library
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT item, isNew FROM listingWork LIMIT ?"), arguments: [Self.most]
            )
            .map { row -> (id: String, isNew: Bool) in (row["item"], row["isNew"]) }
        }
        for row in rows {
            var version: Int?
            // What is hidden or has ended is compared with nothing.
            if let id = HubID(row.id), case .listing(let listing)? = try await store.listing(id, for: .visitor),
                listing.item.state == .open
            {
                version = listing.item.version
                try await MatchStore(library: library).compare(listing)
                if row.isNew { try await AlertStore(library: library).hear(of: listing) }
            }
            try await MatchStore(library: library).strike(row.id, asOf: version)
        }
        return rows.count
    }
}

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
