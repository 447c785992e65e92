internal import ChirpAccounts
package import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

extension HubReader {
    /// The most items of a page.
    package static let mostOnPage = 100

    /// What is at an item's address; nil: there never was one, or it is not for this viewer. Of what was hidden it is told that it is
    /// gone while it is `open`.
    package func item(_ id: HubID, board: String) async throws(LibraryError) -> ItemSight? {
        let (visible, unblocked) = (visibleItems, unblockedItems)
        return try await library.read { database -> ItemSight? in
            let sequence = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT items.sequence FROM items WHERE items.id = ? AND items.board = ? AND \(visible.sql)"),
                arguments: [id.text, board] + visible.arguments)
            if let sequence, let item = try items([sequence], in: database).first { return .item(item) }
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT state, ended, hiddenAt FROM items WHERE items.id = ? AND items.board = ?
                            AND items.state <> 'draft' AND items.shut = 0 AND \(unblocked.sql)
                        """), arguments: [id.text, board] + unblocked.arguments)
            guard let row, let state = Item.State(rawValue: row["state"]) else { return nil }
            let since: Int64? = row["ended"] ?? row["hiddenAt"]
            return .gone(state, since: since.map(HubLibrary.date))
        }
    }

    /// What a query finds, a page of it. Nothing is repeated on the next page and nothing left out, whatever others add, change or
    /// remove meanwhile.
    package func items(_ query: ItemQuery) async throws(LibraryError) -> ItemPage {
        let limit = min(query.limit, Self.mostOnPage)
        guard limit > 0 else { return ItemPage(items: [], next: nil) }
        return try await library.read { database in
            let finder = try ItemFinder(query, self, in: database)
            guard !finder.isHopeless else { return ItemPage(items: [], next: nil) }
            let found =
                if case .nearest(let point) = query.order {
                    try finder.nearest(to: point, limit: limit)
                } else if finder.isByPopularity {
                    try finder.popular(limit: limit)
                } else {
                    try finder.newest(limit: limit)
                }
            return ItemPage(
                items: try items(found.items, in: database), next: finder.text(found.next), isCut: found.isCut)
        }
    }

    /// At most `most` markers whose counts add up to all that the query finds in a box (order, limit and cursor aside). Of a search by
    /// words, of one person's and of marked ones the newest 500 count.
    package func markers(
        _ query: ItemQuery, in box: GeoBox, most: Int
    ) async throws(LibraryError) -> [ItemMarker] {
        let most = min(max(most, 1), 1000)
        return try await library.read { database in
            let finder = try ItemFinder(query, self, in: database)
            guard !finder.isHopeless else { return [] }
            let groups = try finder.markers(in: box, most: most)
            let alone = try items(groups.filter { $0.count == 1 }.map(\.items), in: database)
            let found = Dictionary(alone.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
            return groups.compactMap { group in
                group.point.map { point in
                    let item = group.count == 1 ? found[group.items] : nil
                    return ItemMarker(point: item?.place?.shown ?? point, count: group.count, item: item)
                }
            }
        }
    }

    /// Open ones of a board by category.
    package func itemCounts(board: String) async throws(LibraryError) -> [String: Int] {
        try await library.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT category, SUM(n) AS many FROM itemCells WHERE board = ? AND grid = 12 AND cell = 0
                        GROUP BY category
                        """), arguments: [board])
            return Dictionary(rows.map { ($0["category"], $0["many"]) }, uniquingKeysWith: +)
        }
    }
}

extension ItemFinder {
    /// A page, and where it ended; nil when there is no more, or when it is cut: then there are more, farther away.
    typealias Page = (items: [Int64], next: ItemCursor?, isCut: Bool)

    /// The newest, or those with the newest marks.
    func newest(limit: Int) throws -> Page {
        var found: [Candidate] = []
        let cursor = ItemCursor(cursor)
        if isCounted, let area = query.area, let near = try few(in: area) {
            let before: Int64 = if case .newest(let item) = cursor { item } else { .max }
            found = Array(near.filter { $0.item < before }.sorted { $0.item > $1.item }.prefix(limit + 1))
        } else {
            try walk(query.area.map { [$0] } ?? [], after: cursor) { candidate in
                found.append(candidate)
                return found.count <= limit
            }
        }
        guard found.count > limit, let last = found.prefix(limit).last else { return (found.map(\.item), nil, false) }
        let next: ItemCursor =
            query.marked == nil ? .newest(before: last.item) : .marked(at: last.instant, item: last.item)
        return (found.prefix(limit).map(\.item), next, false)
    }
}
