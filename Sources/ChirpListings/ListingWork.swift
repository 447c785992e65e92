internal import ChirpAccounts
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

    /// Does what there is, and tells those of whom it is what came of it. Who has to wait until she is told again is not asked for here:
    /// that took longer than all else, since they were asked for after each placing.
    func run(_ pace: Pace) async {
        await guarded {
            let concerned = try await catchUp(pace)
            try await MatchStore(library: desk.library).tell(concerned.accounts)
            try await AlertStore(library: desk.library).tell(Array(concerned.alerts))
        }
    }

    /// Does what there is, and tells everybody of what has not been told.
    func sweep() async {
        await guarded {
            _ = try await catchUp(.unresting)
            try await MatchStore(library: desk.library).tell()
            try await AlertStore(library: desk.library).tell()
        }
    }

    private func guarded(_ work: () async throws -> Void) async {
        do { try await work() } catch {
            // A hub that ends leaves it to the next one.
            if !Task.isCancelled { desk.logger.warning("listings are not compared yet: \(error)") }
        }
    }

    /// Whose listings may belong together, and whose wish something fits.
    private struct Concerned {
        var accounts: Set<AccountID> = []
        var alerts: Set<HubID> = []
    }

    /// So many are taken up at once.
    private static let most = 200

    private func catchUp(_ pace: Pace) async throws -> Concerned {
        var concerned = Concerned()
        while try await takeUp(&concerned, pace) == Self.most { try Task.checkCancellation() }
        return concerned
    }

    /// - Returns: how many there were.
    private func takeUp(_ concerned: inout Concerned, _ pace: Pace) async throws -> Int {
        let rows = try await desk.library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT item, isNew FROM listingWork LIMIT ?"), arguments: [Self.most]
            )
            .map { row -> (id: String, isNew: Bool) in (row["item"], row["isNew"]) }
        }
        for row in rows {
            let (accounts, alerts) = try await pace.piece { try await compare(row.id, isNew: row.isNew) }
            concerned.accounts.formUnion(accounts)
            concerned.alerts.formUnion(alerts)
        }
        return rows.count
    }

    /// Compares one; what is hidden or has ended with nothing.
    private func compare(_ id: String, isNew: Bool) async throws -> (accounts: Set<AccountID>, alerts: [HubID]) {
        let matches = MatchStore(library: desk.library)
        guard let hub = HubID(id), case .listing(let listing)? = try await store.listing(hub, for: .visitor),
            listing.item.state == .open
        else {
            try await matches.strike(id, asOf: nil)
            return ([], [])
        }
        let accounts = try await matches.compare(listing)
        let alerts = isNew ? try await AlertStore(library: desk.library).hear(of: listing) : []
        try await matches.strike(id, asOf: listing.item.version)
        return (accounts, alerts)
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
