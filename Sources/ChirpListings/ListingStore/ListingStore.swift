internal import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials
internal import GRDB

/// Listings in the library. The board's name is ``board``.
package struct ListingStore: Sendable {
    package let library: HubLibrary
    package static let board = "lost-and-found"

    package init(library: HubLibrary) { self.library = library }

    /// What a viewer finds at a listing's address; nil: there never was one.
    package func listing(_ id: HubID, for viewer: Viewer) async throws -> ListingSight? {
        switch try await library.seen(by: viewer).item(id, board: Self.board) {
        case nil: return nil
        case .gone(let state, let since): return .gone(state, since: since)
        case .item(let item): return try await whole([item]).first.map { .listing($0) }
        }
    }

    /// Listings as a viewer sees them, in the order of the ids; those that are not seen are left out.
    package func listings(_ ids: [HubID], for viewer: Viewer) async throws -> [Listing] {
        let library = library
        return try await library.reading { database in
            let items = try ids.compactMap {
                try Items.item($0, board: Self.board, for: viewer, library: library, in: database)
            }
            return try Self.whole(items, in: database)
        }
    }

    /// The same as a query finds them.
    package func listings(_ query: ItemQuery, for viewer: Viewer) async throws -> (found: [Listing], next: String?) {
        let page = try await page(query, for: viewer)
        return (page.found, page.next)
    }

    /// The same, with whether a list by distance ends before all are told.
    package func page(_ query: ItemQuery, for viewer: Viewer) async throws -> ListingsFound {
        let page = try await library.seen(by: viewer).items(query)
        return ListingsFound(found: try await whole(page.items), next: page.next, isCut: page.isCut)
    }

    /// With what the board keeps of them.
    func whole(_ items: [Item]) async throws -> [Listing] {
        guard !items.isEmpty else { return [] }
        return try await library.reading { try Self.whole(items, in: $0) }
    }

    static func whole(_ items: [Item], in database: Database) throws -> [Listing] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT item, happenedFrom, happenedTo, handover, reward, phone <> '' AS hasPhone, question FROM listings
                    WHERE item IN (SELECT value FROM json_each(?))
                    """), arguments: [items.map(\.id.text).statementList()])
        let known = Dictionary(rows.map { ($0["item"] as String, $0) }) { first, _ in first }
        return items.compactMap { item in known[item.id.text].flatMap { Listing(item, $0) } }
    }
}

/// A page of what somebody looks for.
package struct ListingsFound: Sendable {
    package var found: [Listing] = []
    /// For `after`; nil at the end.
    package var next: String?
    /// There are more, but farther away than lists by distance go.
    package var isCut = false
}

/// What a viewer finds at a listing's address.
package enum ListingSight: Hashable, Sendable {
    case listing(Listing)
    case gone(Item.State, since: Date?)
}

extension Listing {
    /// Nil for what a later release has written.
    fileprivate init?(_ item: Item, _ row: Row) {
        guard let side = Side(rawValue: item.kind), let handover = Handover(rawValue: row["handover"]) else {
            return nil
        }
        let from: Int64? = row["happenedFrom"]
        let to: Int64? = row["happenedTo"]
        self.init(
            item: item, side: side, happenedFrom: from.map(Accounts.date), happenedTo: to.map(Accounts.date),
            handover: handover, reward: row["reward"], hasPhone: row["hasPhone"], question: row["question"])
    }

    package var id: HubID { item.id }
    /// Nil for one of a later release.
    package var category: Category? { Category(rawValue: item.category) }
}
