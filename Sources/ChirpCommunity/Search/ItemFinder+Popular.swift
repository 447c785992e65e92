internal import ChirpPlaces
internal import GRDB

/// Lists by popularity: ranks are walked from the greatest down, as they were in the turn in which the first page was made. A reader sees each
/// item once that is there all the time, however votes move it meanwhile; the list is as it was for ``HubLibrary/rankMemory``, and then goes on
/// by what ranks are then.
extension ItemFinder {
    /// Where an item stood.
    private typealias Rank = (rank: Double, item: Int64)

    /// Whether the list can be sorted by popularity: of a search by words, of one person's and of what somebody has marked the newest come
    /// first instead.
    var isByPopularity: Bool { query.order == .popular && isCounted }

    func popular(limit: Int) throws -> Page {
        let turns = try Row.fetchOne(database.cachedStatement(sql: "SELECT turn, forgotten FROM scoreTurns"))
        let (last, forgotten): (Int64, Int64) = (turns?["turn"] ?? 0, turns?["forgotten"] ?? 0)
        var (turn, before) = (last, (Double.infinity, Int64.max) as Rank)
        if case .popular(let from, let rank, let item) = ItemCursor(cursor) {
            before = (rank, item)
            if from >= forgotten, from <= last { turn = from }
        }
        let found = try first(limit + 1, behind: before, in: turn, isLast: turn == last)
        let page = found.prefix(limit)
        guard found.count > limit, let end = page.last else { return (page.map(\.item), nil, false) }
        return (page.map(\.item), .popular(turn: turn, rank: end.rank, item: end.item), false)
    }

    /// So many ranks are gone down for an area at first.
    private static let mostWalked = 3000

    private func first(_ many: Int, behind before: Rank, in turn: Int64, isLast: Bool) throws -> [Rank] {
        guard let area = query.area else { return try walk(many, behind: before, in: turn, isLast: isLast) ?? [] }
        let box = area.bounds
        let holding = try cells.count(touching: box, Self.level(for: box))
        // As many as there must be where an area has its share of what is ranked, three times over. What is there may be older than elsewhere.
        if try holding * Self.mostWalked >= 3 * many * cells.total(),
            let found = try walk(many, behind: before, in: turn, isLast: isLast, most: Self.mostWalked)
        {
            return found
        }
        // Then it is less to look at all that are in it, unless they are very many.
        guard holding >= Self.mostScanned else { return try near(area, many, behind: before, in: turn) }
        return try walk(many, behind: before, in: turn, isLast: isLast) ?? []
    }

    /// The first so many behind a place: what stands there now, and in between what stood there in that turn and has moved since.
    ///
    /// - Parameter most: so many are looked at; nil is returned when there may be more.
    private func walk(
        _ many: Int, behind before: Rank, in turn: Int64, isLast: Bool, most: Int? = nil
    ) throws -> [Rank]? {
        var others = try isLast ? [] : moved(many, behind: before, since: turn)[...]
        let areas = query.area.map { [$0] } ?? []
        let index =
            query.category != nil
            ? "itemScoresByCategory" : query.kinds.count == 1 ? "itemScoresByKind" : "itemScoresByRank"
        let places = areas.isEmpty ? "" : " CROSS JOIN openItems AS place ON place.item = score.item"
        let blocked = reader.account == nil ? "" : " CROSS JOIN items ON items.sequence = score.item"
        // When SQLite leaves out what is elsewhere it does not say at how many it has looked.
        let isCounting = most != nil
        let statement = select(
            "score.rank, score.item\(isCounting ? ", place.lat, place.lon" : "")",
            "itemScores AS score INDEXED BY \(index)\(places)\(blocked)",
            filter("score") + ("score.listed = 1 AND score.sunk = 0 AND score.number <= ?", [turn])
                + ("(score.rank, score.item) < (?, ?)", [before.rank, before.item]) + reader.unblockedItems,
            isCounting ? [] : areas, "score.rank DESC, score.item DESC",
            columns: areas.isEmpty ? nil : (lat: "place.lat", lon: "place.lon"))
        let rows = try Row.fetchCursor(database.cachedStatement(sql: statement.sql), arguments: statement.arguments)
        var (found, looked) = ([Rank](), 0)
        while found.count < many, let row = try rows.next() {
            looked += 1
            if let most, looked > most { return nil }
            guard isInside(areas, row) else { continue }
            let next: Rank = (row[0], row[1])
            while found.count < many, let first = others.first, first > next {
                found.append(first)
                others.removeFirst()
            }
            if found.count < many { found.append(next) }
        }
        return found + others.prefix(many - found.count)
    }

    /// Where those stood in a turn that have moved since, the greatest first.
    private func moved(_ many: Int, behind before: Rank, since turn: Int64) throws -> [Rank] {
        let areas = query.area.map { [$0] } ?? []
        let blocked = reader.account == nil ? "" : " CROSS JOIN items ON items.sequence = former.item"
        let statement = select(
            "former.rank, former.item",
            "formerScores AS former CROSS JOIN openItems AS place ON place.item = former.item\(blocked)",
            filter("place") + ("former.until > ? AND former.number <= ?", [turn, turn])
                + ("(former.rank, former.item) < (?, ?)", [before.rank, before.item]) + reader.unblockedItems,
            // Of those in the box around a circle some are not in it.
            areas, "former.rank DESC, former.item DESC LIMIT ?", columns: ("place.lat", "place.lon"))
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: statement.sql),
            arguments: statement.arguments + [areas.isEmpty ? many : -1])
        var found: [Rank] = []
        while found.count < many, let row = try rows.next() {
            if isInside(areas, row) { found.append((row[0], row[1])) }
        }
        return found
    }

    /// The first so many behind a place of all that are in an area, and stood somewhere in a turn.
    private func near(_ area: ItemQuery.Area, _ many: Int, behind before: Rank, in turn: Int64) throws -> [Rank] {
        let blocked = reader.account == nil ? "" : " CROSS JOIN items ON items.sequence = place.item"
        var found: [Rank] = []
        for (source, condition) in try sources(of: area) {
            let condition = condition + filter("place") + reader.unblockedItems
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT rank, item, lat, lon FROM (
                            SELECT CASE WHEN score.number > ? THEN (
                                    SELECT former.rank FROM formerScores AS former
                                    WHERE former.item = score.item AND former.number <= ? AND former.until > ?)
                                WHEN score.sunk = 0 THEN score.rank END AS rank, score.item, place.lat, place.lon
                            FROM \(source)\(blocked) CROSS JOIN itemScores AS score ON score.item = place.item
                            WHERE \(condition.sql)
                        ) WHERE (rank, item) < (?, ?) ORDER BY rank DESC, item DESC
                        """),
                arguments: [turn, turn, turn] + condition.arguments + [before.rank, before.item])
            var left = many
            while left > 0, let row = try rows.next() {
                guard isInside([area], row) else { continue }
                found.append((row[0], row[1]))
                left -= 1
            }
        }
        return found.sorted { $0 > $1 }
    }

    /// By what the open ones in the box around an area are found, as `place`: the index of words where they are few of a kind or a category among
    /// many others, otherwise the R*Tree.
    private func sources(of area: ItemQuery.Area) throws -> [(source: String, condition: Condition)] {
        let box = area.bounds
        if cells.isFiltered, try cells.all.count(touching: box, Self.level(for: box)) > 3 * Self.few {
            let match = try match(try cellTokens(of: [area]) ?? [])
            return [
                (
                    "itemWords CROSS JOIN openItems AS place ON place.item = itemWords.rowid",
                    ("itemWords MATCH ?", [match]) + box.condition("place.lat", "place.lon")
                )
            ]
        }
        return box.pieces.map { piece in
            (
                "itemPoints AS points CROSS JOIN openItems AS place ON place.item = points.item",
                (
                    "points.east >= ? AND points.west <= ? AND points.north >= ? AND points.south <= ?",
                    [piece.west, piece.east, piece.south, piece.north]
                ) + piece.condition("place.lat", "place.lon")
            )
        }
    }

    /// Of a row that ends with where it is shown.
    private func isInside(_ areas: [ItemQuery.Area], _ row: Row) -> Bool {
        guard !areas.isEmpty else { return true }
        // What has no place is nowhere.
        guard let latitude = row[2] as Double?, let longitude = row[3] as Double?,
            let point = GeoPoint(latitude: latitude, longitude: longitude)
        else { return false }
        return areas.allSatisfy { $0.contains(point) }
    }
}
