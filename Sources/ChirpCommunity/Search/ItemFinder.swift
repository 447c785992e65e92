internal import ChirpAccounts
internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

/// Finds the items that a query asks for, as one viewer sees them, within one reading transaction.
///
/// Every way in is written so that SQLite reads in the order of the list and stops when a page is full: the newest from an index or from
/// the index of words backwards, what is in an area from the index of words by its cells, or from the R*Tree (always the outer loop, by
/// CROSS JOIN) where that is less.
struct ItemFinder {
    let query: ItemQuery
    let reader: HubReader
    let database: Database
    /// What of the visitor's words the index of words is asked for; nil: nothing was typed.
    let typed: String?
    /// The last word is taken for the beginning of one, since it does not occur on the board as it is.
    let isBeginning: Bool
    /// Where the page before ended.
    let cursor: String?
    private let isWordless: Bool
    /// What of the board's own words the index is asked for, each one word or a choice of several.
    let tokens: [String]
    /// A word of the board was asked for that is none, or a choice of nothing.
    private let isBoardless: Bool

    /// One that was found.
    struct Candidate {
        let item: Int64
        /// When the mark was put to it, for a list of marks.
        let instant: Int64
        /// Where it is shown; nil where no place was asked for.
        let point: GeoPoint?
    }

    typealias Condition = (sql: String, arguments: StatementArguments)

    init(_ query: ItemQuery, _ reader: HubReader, in database: Database) throws {
        self.query = query
        self.reader = reader
        self.database = database
        let (own, choices) = (ItemTokens.own(query.tokens), query.choices.map(ItemTokens.own))
        tokens = own + choices.filter { !$0.isEmpty }.map(Self.any)
        isBoardless = own.count != query.tokens.count || choices.contains(where: \.isEmpty)
        let words = try SearchWords(query.words, in: database)
        isWordless = words.isHopeless
        // A page goes on as the one before it began.
        let goesOn = query.after?.first == Self.beginningMark
        cursor = goesOn ? query.after.map { String($0.dropFirst()) } : query.after
        let isNew = ItemCursor(cursor) == nil
        if let match = words.match, let beginning = words.beginning,
            try isNew ? !Self.occurs(match, on: query.board, in: database) : goesOn
        {
            (typed, isBeginning) = (beginning, true)
        } else {
            (typed, isBeginning) = (words.match, false)
        }
    }

    /// Stands before the cursor of a list in which the last word is a beginning.
    private static let beginningMark: Character = "b"

    /// Whether the words are anywhere on a board.
    private static func occurs(_ match: String, on board: String, in database: Database) throws -> Bool {
        let found = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM itemWords WHERE itemWords MATCH ? LIMIT 1"),
            arguments: ["\(match) AND words : (\(ItemTokens.board(board)) AND \(ItemTokens.state(.open)))"])
        return found ?? false
    }

    /// A cursor as the next page is asked for with.
    func text(_ cursor: ItemCursor?) -> String? {
        cursor.map { isBeginning ? "\(Self.beginningMark)\($0.text)" : $0.text }
    }

    /// The author looks at her own.
    var isOwn: Bool { query.author != nil && query.author == reader.account }

    /// The states that the viewer may list. Others' drafts and what they took back are not there.
    var states: Set<Item.State> { isOwn ? query.states : query.states.subtracting([.draft, .withdrawn]) }

    /// Only what everybody's lists show: `openItems` has exactly that.
    var isOfOpen: Bool { !isOwn && states == [.open] }

    /// Nothing but board, kind, category and area: counts answer it.
    var isCounted: Bool {
        isOfOpen && query.author == nil && query.marked == nil && typed == nil && tokens.isEmpty
    }

    var isHopeless: Bool {
        states.isEmpty || isWordless || isBoardless || query.marked != nil && reader.account == nil
    }

    var cells: ItemCells { ItemCells(board: query.board, kinds: query.kinds, category: query.category, database) }

    /// Visits what is found, the newest first (of marks: the newest mark), until the visitor has enough.
    ///
    /// - Parameters:
    ///   - areas: all of which they are in.
    ///   - visit: whether to go on.
    func walk(_ areas: [ItemQuery.Area], after cursor: ItemCursor? = nil, _ visit: (Candidate) throws -> Bool) throws {
        try walk(try statement(areas, after: cursor), areas, visit)
    }

    /// The same for what counts answer, by the index of words.
    func walkWords(_ areas: [ItemQuery.Area], _ visit: (Candidate) throws -> Bool) throws {
        try walk(worded(try cellTokens(of: areas) ?? [], areas, nil), areas, visit)
    }

    private func walk(
        _ statement: Condition, _ areas: [ItemQuery.Area], _ visit: (Candidate) throws -> Bool
    ) throws {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: statement.sql), arguments: statement.arguments)
        while let row = try rows.next() {
            var point: GeoPoint?
            if !areas.isEmpty {
                point = GeoPoint(latitude: row[2], longitude: row[3])
                guard let point, areas.allSatisfy({ $0.contains(point) }) else { continue }
            }
            guard try visit(Candidate(item: row[0], instant: row[1], point: point)) else { return }
        }
    }

    private func statement(_ areas: [ItemQuery.Area], after cursor: ItemCursor?) throws -> Condition {
        if let mark = query.marked, let account = reader.account { return marked(mark, by: account, areas, cursor) }
        if let author = query.author { return authored(by: author, areas, cursor) }
        let cells = isOfOpen ? try cellTokens(of: areas) : nil
        if typed != nil || !tokens.isEmpty || cells != nil { return try worded(cells ?? [], areas, cursor) }
        return listed(areas, cursor)
    }

    private func marked(
        _ mark: ItemMark, by account: AccountID, _ areas: [ItemQuery.Area], _ cursor: ItemCursor?
    ) -> Condition {
        var condition =
            filter("items") + stateFilter + ("itemMarks.account = ? AND itemMarks.kind = ?", [account, mark.rawValue])
        if case .marked(let instant, let item) = cursor {
            condition += ("(itemMarks.at, itemMarks.item) < (?, ?)", [instant, item])
        }
        return select(
            "itemMarks.item, itemMarks.at",
            "itemMarks INDEXED BY itemMarksByTime CROSS JOIN items ON items.sequence = itemMarks.item",
            condition + foundAmongWords, areas, "itemMarks.at DESC, itemMarks.item DESC")
    }

    private func authored(by author: AccountID, _ areas: [ItemQuery.Area], _ cursor: ItemCursor?) -> Condition {
        let condition =
            filter("items") + stateFilter + ("items.account = ?", [author]) + before(cursor, "items.sequence")
        return select(
            "items.sequence, 0", "items INDEXED BY itemsByAccount", condition + foundAmongWords, areas,
            "items.sequence DESC")
    }

    private func worded(_ cells: [String], _ areas: [ItemQuery.Area], _ cursor: ItemCursor?) throws -> Condition {
        let match = try match(cells)
        if isOfOpen {
            // Narrow rows; the wide ones of `items` are needed only where somebody may be blocked.
            let items = reader.account == nil ? "" : " CROSS JOIN items ON items.sequence = itemWords.rowid"
            return select(
                "itemWords.rowid, 0",
                "itemWords CROSS JOIN openItems AS place ON place.item = itemWords.rowid\(items)",
                ("itemWords MATCH ?", [match]) + before(cursor, "itemWords.rowid") + filter("place")
                    + reader.unblockedItems, areas, "itemWords.rowid DESC", columns: ("place.lat", "place.lon"))
        }
        return select(
            "itemWords.rowid, 0", "itemWords CROSS JOIN items ON items.sequence = itemWords.rowid",
            ("itemWords MATCH ?", [match]) + before(cursor, "itemWords.rowid") + filter("items") + stateFilter, areas,
            "itemWords.rowid DESC")
    }

    private func listed(_ areas: [ItemQuery.Area], _ cursor: ItemCursor?) -> Condition {
        let index =
            if isOfOpen {
                query.category != nil
                    ? "INDEXED BY itemsByCategory"
                    : query.kinds.count == 1 ? "INDEXED BY itemsByKind" : "INDEXED BY itemsListed"
            } else if states.count == 1, !states.contains(.open) {
                "INDEXED BY itemsByState"
            } else {
                "NOT INDEXED"
            }
        return select(
            "items.sequence, 0", "items \(index)", filter("items") + stateFilter + before(cursor, "items.sequence"),
            areas, "items.sequence DESC")
    }

    func select(
        _ what: String, _ source: String, _ condition: Condition, _ areas: [ItemQuery.Area], _ order: String,
        columns: (lat: String, lon: String)? = nil
    ) -> Condition {
        guard !areas.isEmpty else {
            return ("SELECT \(what) FROM \(source) WHERE \(condition.sql) ORDER BY \(order)", condition.arguments)
        }
        let places = columns == nil ? " CROSS JOIN itemPlaces AS place ON place.item = items.sequence" : ""
        let columns = columns ?? (lat: "place.shownLat", lon: "place.shownLon")
        var condition = condition
        for area in areas { condition += area.bounds.condition(columns.lat, columns.lon) }
        return (
            """
            SELECT \(what), \(columns.lat), \(columns.lon) FROM \(source)\(places) WHERE \(condition.sql) ORDER BY \(order)
            """, condition.arguments
        )
    }

    private func before(_ cursor: ItemCursor?, _ column: String) -> Condition {
        guard case .newest(let item) = cursor else { return ("1", []) }
        return ("\(column) < ?", [item])
    }
}

/// Both, and the arguments of both.
func + (first: ItemFinder.Condition, second: ItemFinder.Condition) -> ItemFinder.Condition {
    ("\(first.sql) AND \(second.sql)", first.arguments + second.arguments)
}

func += (first: inout ItemFinder.Condition, second: ItemFinder.Condition) { first = first + second }
