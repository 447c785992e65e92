import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import Foundation
import GRDB
import HubHousehold
import Testing

/// A household with people who list things on the board `attic`.
struct ItemWorld {
    static let board = "attic"
    let house: HubHousehold
    let ann: AccountID
    let bob: AccountID

    init(boards: [BoardTables] = []) async throws {
        house = try HubHousehold(boards: boards)
        ann = try await house.person("ann")
        bob = try await house.person("bob")
    }

    var library: HubLibrary { house.library }

    func reader(_ account: AccountID? = nil) -> HubReader {
        library.seen(by: account.map { .member($0) } ?? .visitor)
    }

    func draft(
        _ title: String, kind: String = "lost", category: String = "keys", by author: AccountID? = nil,
        at point: (Double, Double)? = nil, text: String = ""
    ) -> ItemDraft {
        var draft = ItemDraft(
            board: Self.board, kind: kind, author: author ?? ann, key: UUID().uuidString, title: title, text: text,
            category: category)
        draft.point = point.flatMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
        draft.precision = .exact
        return draft
    }

    @discardableResult
    func list(
        _ title: String, kind: String = "lost", category: String = "keys", by author: AccountID? = nil,
        at point: (Double, Double)? = nil, text: String = ""
    ) async throws -> HubID {
        try await library.createItem(
            draft(title, kind: kind, category: category, by: author, at: point, text: text))
    }

    func move(
        _ id: HubID, from: Set<Item.State> = [.open], to state: Item.State, by account: AccountID?
    ) async throws {
        try await library.transact {
            try Items.move(id, from: from, to: state, by: account, library: library, in: $0)
        }
    }

    func edit(_ id: HubID, version: Int? = nil, to draft: ItemDraft) async throws {
        try await library.transact { try Items.edit(id, version: version, to: draft, by: library, in: $0) }
    }

    func query(_ words: String = "", _ change: (inout ItemQuery) -> Void = { _ in }) -> ItemQuery {
        var query = ItemQuery(board: Self.board)
        query.words = words
        change(&query)
        return query
    }

    /// The titles of all that is found, page by page.
    func titles(_ query: ItemQuery, for viewer: AccountID? = nil) async throws -> [String] {
        var (query, titles) = (query, [String]())
        for _ in 0..<500 {
            let page = try await reader(viewer).items(query)
            titles += page.items.map(\.title)
            guard let next = page.next else { return titles }
            query.after = next
        }
        Issue.record("the list has no end")
        return titles
    }

    func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
        try #require(GeoPoint(latitude: latitude, longitude: longitude))
    }

    func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> GeoBox {
        try #require(GeoBox(south: south, west: west, north: north, east: east))
    }

    /// Whether index of words, R*Tree and counts say what the tables say.
    func checkIndexes(_ location: SourceLocation = #_sourceLocation) async throws {
        try await library.transact { database in
            try database.execute(sql: "INSERT INTO itemWords (itemWords, rank) VALUES ('integrity-check', 1)")
            func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? -1 }
            let wrong = [
                "SELECT COUNT(*) FROM items WHERE listed <> (sequence IN (SELECT item FROM openItems))",
                "SELECT COUNT(*) FROM openItems WHERE item NOT IN (SELECT sequence FROM items)",
                """
                SELECT COUNT(*) FROM openItems JOIN items ON sequence = item LEFT JOIN itemPlaces USING (item)
                WHERE openItems.category <> items.category OR lat IS NOT shownLat OR openItems.wide IS NOT itemPlaces.wide
                """.replacing("lat IS NOT shownLat", with: "openItems.lat IS NOT itemPlaces.shownLat"),
                "SELECT (SELECT COUNT(*) FROM openItems WHERE lat IS NOT NULL) - (SELECT COUNT(*) FROM itemPoints)",
                "SELECT (SELECT COUNT(*) FROM openItems) - (SELECT COALESCE(SUM(n), 0) FROM itemCells WHERE grid = 12)",
                "SELECT COUNT(*) FROM itemCells WHERE n < 1",
                """
                SELECT COUNT(*) FROM itemCells WHERE grid = 8 AND (n, items) IS NOT (
                    SELECT COUNT(*), SUM(item) FROM openItems WHERE fine = cell AND openItems.kind = itemCells.kind
                        AND openItems.category = itemCells.category)
                """,
                """
                SELECT COUNT(*) FROM itemCells WHERE grid = 3 AND (n, items) IS NOT (
                    SELECT COUNT(*), SUM(item) FROM openItems WHERE wide = cell)
                """,
                """
                SELECT COUNT(*) FROM itemTallies WHERE saves <> (SELECT COUNT(*) FROM itemMarks
                    WHERE itemMarks.item = itemTallies.item AND kind = 'save')
                """,
            ]
            for sql in wrong { #expect(try count(sql) == 0, "\(sql)", sourceLocation: location) }
        }
    }
}
