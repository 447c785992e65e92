import ChirpCommunity
import GRDB

/// Makes what lists and maps are read from, for many entries at once: entry by entry that is eleven counts and a point of a tree each.
///
/// What comes of it is what the triggers of the library's tables make.
struct MapFiller: Sendable {
    let library: HubLibrary
    /// The last entry that was listed before.
    private let last: Int64
    /// What lists an entry, as it is put back.
    private let triggers: [String]

    /// Takes away what lists an entry as soon as it is written.
    init(library: HubLibrary) async throws {
        self.library = library
        (last, triggers) = try await library.transact { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, sql FROM sqlite_schema WHERE name IN ('openItemsAdded', 'openItemsCome')")
            guard rows.count == 2 else { throw BrokenOff() }
            for row in rows { try database.execute(sql: "DROP TRIGGER \(row["name"] as String)") }
            return (
                try Int64.fetchOne(database, sql: "SELECT COALESCE(MAX(sequence), 0) FROM items") ?? 0,
                rows.map { $0["sql"] }
            )
        }
    }

    /// The numbers of an entry's cells as columns of `openItems`, by the grids that count them.
    private static let cells = [
        (grids: [0, 1, 2, 3], cell: "wide"), ([4, 5, 6, 7], "middle"), ([8], "fine"),
        ([16, 18], "wide / 900 * 36 + wide % 180 / 5"),
    ]

    /// Lists all that was written since, and lets entries be listed again as they come.
    func list() async throws -> Int {
        try await library.transact { database in
            try database.execute(
                sql: """
                    INSERT INTO openItems (item, board, kind, category, lat, lon, wide, middle, fine)
                    SELECT sequence, board, kind, category, shownLat, shownLon, wide, middle, fine FROM items
                    LEFT JOIN itemPlaces ON itemPlaces.item = sequence WHERE listed AND sequence > ? ORDER BY sequence
                    """, arguments: [last])
            let listed = database.changesCount
            try database.execute(
                sql: """
                    INSERT INTO itemPoints (item, west, east, south, north)
                    SELECT item, lon, lon, lat, lat FROM openItems WHERE item > ? AND lat IS NOT NULL
                    """, arguments: [last])
            try count(12, "0", "1", in: database)
            for (grids, cell) in Self.cells {
                for grid in grids { try count(grid, cell, "lat IS NOT NULL", in: database) }
            }
            for sql in triggers { try database.execute(sql: sql) }
            return listed
        }
    }

    /// Entries of each cell of a grid; of the board alone nobody asks where they are.
    private func count(_ grid: Int, _ cell: String, _ condition: String, in database: Database) throws {
        func sum(_ column: String) -> String { grid == 12 ? "0" : "SUM(CAST(round(\(column) * 1000000) AS INTEGER))" }
        try database.execute(
            sql: """
                INSERT INTO itemCells (board, grid, cell, kind, category, n, lat, lon, items)
                SELECT board, \(grid), \(cell) AS place, \(grid & 1 == 1 ? "''" : "kind") AS sort,
                    \(grid & 2 == 2 ? "''" : "category") AS subject, COUNT(*), \(sum("lat")), \(sum("lon")), SUM(item)
                FROM openItems WHERE item > ? AND \(condition) GROUP BY board, place, sort, subject
                ON CONFLICT (board, grid, cell, kind, category) DO UPDATE
                SET n = n + excluded.n, lat = lat + excluded.lat, lon = lon + excluded.lon, items = items + excluded.items
                """, arguments: [last])
    }
}
