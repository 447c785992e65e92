internal import ChirpPlaces
internal import GRDB

/// Counts of a board's open items by the cells of the map that they are shown in.
struct ItemCells {
    let board: String
    let kinds: [String]
    let category: String?
    let database: Database

    init(board: String, kinds: [String], category: String?, _ database: Database) {
        self.board = board
        self.kinds = kinds
        self.category = category
        self.database = database
    }

    /// The same without kinds and category.
    var all: ItemCells { ItemCells(board: board, kinds: [], category: nil, database) }
    var isFiltered: Bool { !kinds.isEmpty || category != nil }

    /// A rectangle of cells: from a row and a column to another, which belong to it.
    struct Range {
        let rows, columns: ClosedRange<Int>

        func contains(_ cell: MapCell) -> Bool { rows.contains(cell.row) && columns.contains(cell.column) }

        /// What of it is around others that lie wholly in it.
        ///
        /// - Parameters:
        ///   - core: larger cells.
        ///   - times: so many of the smaller ones are in a row of a larger one. The sides of all but the finest are exact in binary, so that is
        ///     a whole number.
        func around(_ core: Range, times: Int) -> [Range] {
            let coreRows = core.rows.lowerBound * times...core.rows.upperBound * times + times - 1
            let coreColumns = core.columns.lowerBound * times...core.columns.upperBound * times + times - 1
            let parts = [
                (rows.lowerBound, coreRows.lowerBound - 1, columns.lowerBound, columns.upperBound),
                (coreRows.upperBound + 1, rows.upperBound, columns.lowerBound, columns.upperBound),
                (coreRows.lowerBound, coreRows.upperBound, columns.lowerBound, coreColumns.lowerBound - 1),
                (coreRows.lowerBound, coreRows.upperBound, coreColumns.upperBound + 1, columns.upperBound),
            ]
            return parts.compactMap { south, north, west, east in
                south <= north && west <= east ? Range(rows: south...north, columns: west...east) : nil
            }
        }
    }

    /// The cells that a piece of a box touches.
    static func touched(by piece: GeoBox, _ level: MapCell.Level) -> Range? {
        guard let first = GeoPoint(latitude: piece.south, longitude: piece.west) else { return nil }
        let from = MapCell(first, level)
        let top = min(MapCell.rows(level) - 1, Int(clamping: ((piece.north + 90) / level.side).rounded(.down)))
        let right = min(MapCell.columns(level) - 1, Int(clamping: ((piece.east + 180) / level.side).rounded(.down)))
        guard top >= from.row, right >= from.column else { return nil }
        return Range(rows: from.row...top, columns: from.column...right)
    }

    /// The cells that are wholly within a piece of a box; nil: none is.
    ///
    /// The quotients are the ones that cells are made with, so no rounding puts a point into such a cell that is not in the box.
    static func inside(_ piece: GeoBox, _ level: MapCell.Level) -> Range? {
        let (rows, columns) = (MapCell.rows(level), MapCell.columns(level))
        let south = piece.south == -90 ? 0 : Int(clamping: ((piece.south + 90) / level.side).rounded(.down)) + 1
        let west = piece.west == -180 ? 0 : Int(clamping: ((piece.west + 180) / level.side).rounded(.down)) + 1
        let north = piece.north == 90 ? rows - 1 : Int(clamping: ((piece.north + 90) / level.side).rounded(.down)) - 1
        let east = piece.east == 180 ? columns - 1 : Int(clamping: ((piece.east + 180) / level.side).rounded(.down)) - 1
        guard south <= north, west <= east else { return nil }
        return Range(rows: south...north, columns: west...east)
    }

    /// How many there are in the cells that a box touches: at least as many as are in the box. Those of blocked people count too.
    func count(touching box: GeoBox, _ level: MapCell.Level) throws -> Int {
        try count(in: box.pieces.compactMap { Self.touched(by: $0, level) }, level)
    }

    /// How many there are in all, also without a place. Those of blocked people count too.
    func total() throws -> Int {
        var filter: ItemFinder.Condition = ("cells.board = ? AND cells.grid = 12 AND cells.cell = 0", [board])
        if !kinds.isEmpty { filter += kindFilter }
        if let category { filter += ("cells.category = ?", [category]) }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT COALESCE(SUM(cells.n), 0) FROM itemCells AS cells WHERE \(filter.sql)"),
            arguments: filter.arguments) ?? 0
    }

    /// How many there are in some cells. Those of blocked people count too.
    func count(in ranges: [Range], _ level: MapCell.Level) throws -> Int {
        let statement = statement("COALESCE(SUM(cells.n), 0)", ranges, level)
        return try Int.fetchOne(database.cachedStatement(sql: statement.sql), arguments: statement.arguments) ?? 0
    }

    /// The numbers of the cells that a box touches and in which something is.
    func numbers(in box: GeoBox, _ level: MapCell.Level, most: Int) throws -> [Int] {
        let statement = statement(
            "DISTINCT cells.cell", box.pieces.compactMap { Self.touched(by: $0, level) }, level)
        return try Int.fetchAll(database, sql: "\(statement.sql) LIMIT \(most)", arguments: statement.arguments)
    }

    /// A question about the counts of some cells, `cells`.
    func statement(_ what: String, _ ranges: [Range], _ level: MapCell.Level) -> ItemFinder.Condition {
        let columns = MapCell.columns(level)
        // Each run of cells is one number, its first cell and how many follow: a box has up to a thousand, and taking two numbers out of a
        // text for each took longer than finding the counts. Rows that go around the earth are one run.
        let runs = ranges.flatMap { range in
            let first = range.rows.lowerBound * columns + range.columns.lowerBound
            return range.columns.count == columns
                ? [Self.run(first, range.rows.count * columns)]
                : (0..<range.rows.count).map { Self.run(first + $0 * columns, range.columns.count) }
        }
        var filter: ItemFinder.Condition
        switch level {
        case .fine:
            filter = ("cells.grid = 8", [])
            if !kinds.isEmpty { filter += kindFilter }
            if let category { filter += ("cells.category = ?", [category]) }
        case .broad:
            filter = ("cells.grid = \(category == nil ? 18 : 16) AND cells.category = ?", [category ?? ""])
            if !kinds.isEmpty { filter += kindFilter }
        case .wide, .middle:
            filter = ("cells.grid = \(level.rawValue * 4 + (kinds.isEmpty ? 1 : 0) + (category == nil ? 2 : 0))", [])
            filter += kinds.isEmpty ? ("cells.kind = ''", []) : kindFilter
            filter += ("cells.category = ?", [category ?? ""])
        }
        return (
            """
            SELECT \(what) FROM json_each(?) AS run CROSS JOIN itemCells AS cells
            WHERE cells.board = ? AND cells.cell BETWEEN run.value >> 30 AND (run.value >> 30) + (run.value & 0x3FFFFFFF)
                AND \(filter.sql)
            """, ["[\(runs.map(String.init).joined(separator: ","))]", board] + filter.arguments
        )
    }

    /// There are fewer than 2^28 cells of the finest level.
    private static func run(_ first: Int, _ count: Int) -> Int { first << 30 | (count - 1) }

    private var kindFilter: ItemFinder.Condition {
        ("cells.kind IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(kinds))
    }
}
