internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

extension ItemFinder {
    /// Board, kinds and category, as the columns of a table have them.
    func filter(_ table: String) -> Condition {
        var condition: Condition = ("\(table).board = ?", [query.board])
        if !query.kinds.isEmpty {
            let places = query.kinds.map { _ in "?" }.joined(separator: ", ")
            condition += ("\(table).kind IN (\(places))", StatementArguments(query.kinds))
        }
        if let category = query.category { condition += ("\(table).category = ?", [category]) }
        return condition
    }

    /// What of `items` the viewer may list, and has asked for.
    var stateFilter: Condition {
        guard !isOwn else { return ("items.state IN (\(list(of: states)))", []) }
        let seen: Condition
        if isOfOpen {
            seen = ("items.listed = 1", [])
        } else if states.count == 1, !states.contains(.open) {
            seen = (
                "items.listed = 0 AND items.state = \(list(of: states)) AND items.hidden = 0 AND items.shut = 0", []
            )
        } else {
            seen = ("items.state IN (\(list(of: states))) AND items.hidden = 0 AND items.shut = 0", [])
        }
        return seen + reader.unblockedItems
    }

    /// Their names are this program's own.
    private func list(of states: Set<Item.State>) -> String {
        states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    }

    /// Of items that were found otherwise: those in which the words occur.
    var foundAmongWords: Condition {
        guard typed != nil || !tokens.isEmpty else { return ("1", []) }
        let match = [typed, tokens.isEmpty ? nil : "words : (\(tokens.joined(separator: " AND ")))"]
        return (
            "EXISTS (SELECT 1 FROM itemWords WHERE itemWords MATCH ? AND itemWords.rowid = items.sequence)",
            [match.compactMap { $0 }.joined(separator: " AND ")]
        )
    }

    /// What the index of words is asked for: the visitor's words in the texts, filters in their own column.
    ///
    /// Board and state are on every item, so they are the longest lists of the index: where most items are open ones of this board, the
    /// join with `openItems` leaves out the others sooner than those lists are gone through.
    func match(_ cells: [String]) throws -> String {
        let isNarrow = typed != nil || !cells.isEmpty || !tokens.isEmpty
        var filters =
            try isOfOpen && isNarrow && isMostOfAll()
            ? [] : [ItemTokens.board(query.board), Self.any(states.map(ItemTokens.state).sorted())]
        if !query.kinds.isEmpty { filters.append(Self.any(query.kinds.map(ItemTokens.kind))) }
        if let category = query.category { filters.append(ItemTokens.category(category)) }
        if !cells.isEmpty { filters.append(Self.any(cells)) }
        let all = filters + tokens
        let own = all.isEmpty ? nil : "words : (\(all.joined(separator: " AND ")))"
        return [typed, own].compactMap { $0 }.joined(separator: " AND ")
    }

    /// Whether the board's open items are at least half of all that have ever been.
    private func isMostOfAll() throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 2 * SUM(n) >= (SELECT seq FROM sqlite_sequence WHERE name = 'items') FROM itemCells
                    WHERE board = ? AND grid = 12 AND cell = 0
                    """), arguments: [query.board]) ?? false
    }

    static func any(_ tokens: [String]) -> String {
        tokens.count == 1 ? tokens[0] : "(\(tokens.joined(separator: " OR ")))"
    }

    /// The most cells that the index of words is asked for at once.
    private static let mostCells = 40
    /// The same for the largest cells, of those in which something is.
    private static let mostWideCells = 200

    /// The cells that hold the smallest of some areas; nil when it is so large that they would not help.
    func cellTokens(of areas: [ItemQuery.Area]) throws -> [String]? {
        guard let box = areas.map(\.bounds).min(by: { $0.span < $1.span }) else { return nil }
        for level in [MapCell.Level.fine, .middle, .wide] {
            if let cells = MapCell.covering(box, level, most: Self.mostCells) { return cells.map(\.token) }
        }
        let numbers = try cells.numbers(in: box, .wide, most: Self.mostWideCells + 1)
        guard numbers.count <= Self.mostWideCells else { return nil }
        // In none is anything: a cell that is nowhere finds nothing.
        return numbers.isEmpty ? ["gcnone"] : numbers.map { MapCell(number: $0, .wide).token }
    }
}

extension ItemQuery.Area {
    /// The smallest box around it.
    var bounds: GeoBox {
        switch self {
        case .box(let box): box
        case .circle(let centre, let radius): GeoBox(around: centre, radius: radius)
        }
    }

    func contains(_ point: GeoPoint) -> Bool {
        switch self {
        case .box(let box): box.contains(point)
        case .circle(let centre, let radius): centre.distance(to: point) <= radius
        }
    }
}

extension GeoBox {
    /// Degrees from west to east.
    var width: Double { west <= east ? east - west : east - west + 360 }
    /// Degrees from south to north.
    var height: Double { north - south }
    /// In square degrees; larger for what holds more of the grid.
    var span: Double { max(width, 1e-6) * max(height, 1e-6) }

    /// A condition on a latitude and a longitude.
    func condition(_ latitude: String, _ longitude: String) -> ItemFinder.Condition {
        let across = west <= east ? "BETWEEN ? AND ?" : "NOT BETWEEN ? AND ?"
        let bounds: StatementArguments = west <= east ? [west, east] : [east.nextUp, west.nextDown]
        return ("\(latitude) BETWEEN ? AND ? AND \(longitude) \(across)", [south, north] + bounds)
    }
}
