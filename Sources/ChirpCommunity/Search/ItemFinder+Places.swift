internal import ChirpPlaces
internal import GRDB

extension ItemFinder {
    /// Up to so many are read at once and sorted afterwards.
    static let few = 1000
    /// How many are looked at where counts do not answer, the newest.
    static let mostScanned = 5000
    /// How many the markers of a search by words are made of, the newest: each is looked up by itself, and five thousand took more than
    /// half of a page's time.
    static let mostGrouped = 500

    /// The level whose cells are small beside a box, and few enough to be added up in passing.
    static func level(for box: GeoBox) -> MapCell.Level {
        let degrees = max(box.width, box.height)
        return degrees <= 2.5 ? .fine : degrees <= 20 ? .middle : .wide
    }

    /// All open ones that are in an area; nil when there may be many. For what counts answer.
    func few(in area: ItemQuery.Area) throws -> [Candidate]? {
        let box = area.bounds
        guard try cells.count(touching: box, Self.level(for: box)) <= Self.few else { return nil }
        return try inside([area])
    }

    /// All open ones that are in some areas, in no order; at most ``mostScanned``. For what counts answer.
    func inside(_ areas: [ItemQuery.Area]) throws -> [Candidate] {
        guard let box = areas.map(\.bounds).min(by: { $0.span < $1.span }) else { return [] }
        var found: [Candidate] = []
        // Few of a category among many others: the index of words goes to them straight.
        if cells.isFiltered, try cells.all.count(touching: box, Self.level(for: box)) > 3 * Self.few {
            try walkWords(areas) { candidate in
                found.append(candidate)
                return found.count < Self.mostScanned
            }
            return found
        }
        for piece in box.pieces {
            let rows = try points(in: piece)
            while let row = try rows.next() {
                guard let point = GeoPoint(latitude: row[1], longitude: row[2]),
                    areas.allSatisfy({ $0.contains(point) })
                else { continue }
                found.append(Candidate(item: row[0], instant: 0, point: point))
                if found.count >= Self.mostScanned { return found }
            }
        }
        return found
    }

    /// The open ones about in a box that does not lie over the date line, by the R*Tree: it has less exact numbers than the rows, always
    /// so that nothing is left out.
    func points(in piece: GeoBox) throws -> RowCursor {
        let items = reader.account == nil ? "" : " CROSS JOIN items ON items.sequence = place.item"
        let condition =
            (
                "points.east >= ? AND points.west <= ? AND points.north >= ? AND points.south <= ?",
                [piece.west, piece.east, piece.south, piece.north]
            ) + filter("place") + reader.unblockedItems
        return try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT place.item, place.lat, place.lon FROM itemPoints AS points
                    CROSS JOIN openItems AS place ON place.item = points.item\(items) WHERE \(condition.sql)
                    """), arguments: condition.arguments)
    }

    /// How far it is around half of the earth, in metres.
    static let farthest = GeoPoint.earthRadius * Double.pi
    /// The most that are sorted by distance, page after page: how far somebody has come costs every page more.
    package static let mostNearest = 1000

    /// How many are looked at around a point before it is known how rare the words are.
    private static let firstLook = 300

    /// The nearest to a point: from circles that grow, at most five.
    func nearest(to point: GeoPoint, limit: Int) throws -> Page {
        var (beyond, last, rank) = (-1.0, Int64(0), 0)
        if case .nearest(let metres, let item, let many) = ItemCursor(cursor) {
            (beyond, last, rank) = (metres, item, many)
        }
        let limit = min(limit, Self.mostNearest - min(rank, Self.mostNearest))
        guard limit > 0 else { return ([], nil, false) }
        if isCounted {
            let found = try nearest(to: point, beyond: (beyond, last), many: limit + 1)
            return page(of: found, limit, rank)
        }
        let wanted = rank + limit + 1
        var found: [(metres: Double, item: Int64)] = []
        // Of one person, and of what counts say nothing of, there are not so many.
        let isCountable = isOfOpen && query.author == nil && query.marked == nil
        var holding = max(wanted, Self.firstLook)
        for look in 1...5 {
            let radius = look == 5 || !isCountable ? Self.farthest : try cells.radius(around: point, holding: holding)
            let isAll = radius >= Self.farthest
            let near = ItemQuery.Area.circle(point, radius: isAll ? Self.farthest * 2 : radius)
            let all = try candidates((query.area.map { [$0] } ?? []) + [near])
            found = all.compactMap { candidate in
                guard let place = candidate.point else { return nil }
                let metres = point.distance(to: place)
                return metres > beyond || metres == beyond && candidate.item > last ? (metres, candidate.item) : nil
            }
            if found.count > limit || isAll { break }
            // As rare as they were here, so many hold enough; at least four times as many.
            holding = max(holding * 4, holding / max(1, all.count) * wanted * 2)
        }
        found.sort { $0 < $1 }
        return page(of: found, limit, rank)
    }

    private func page(of found: [(metres: Double, item: Int64)], _ limit: Int, _ rank: Int) -> Page {
        let page = found.prefix(limit)
        guard found.count > limit, let end = page.last else { return (page.map(\.item), nil, false) }
        guard rank + limit < Self.mostNearest else { return (page.map(\.item), nil, true) }
        return (page.map(\.item), .nearest(metres: end.metres, item: end.item, rank: rank + limit), false)
    }

    private func candidates(_ areas: [ItemQuery.Area]) throws -> [Candidate] {
        var found: [Candidate] = []
        try walk(areas) { candidate in
            found.append(candidate)
            return found.count < Self.mostScanned
        }
        return found
    }
}

extension ItemCells {
    /// A radius around a point within which there are so many, not much larger than needed; half of the earth's girth when there are
    /// not so many. In metres.
    func radius(around point: GeoPoint, holding many: Int) throws -> Double {
        for reach in [1e3, 4e3, 16e3, 64e3, 256e3, 1024e3, 4096e3, 8192e3, 21e6] {
            let box = GeoBox(around: point, radius: reach)
            let level = ItemFinder.level(for: box)
            guard try count(touching: box, level) >= many else { continue }
            let statement = statement(
                "cells.cell, SUM(cells.n)", box.pieces.compactMap { Self.touched(by: $0, level) }, level)
            let rows = try Row.fetchCursor(
                database, sql: "\(statement.sql) GROUP BY cells.cell", arguments: statement.arguments)
            var around: [(metres: Double, count: Int)] = []
            while let row = try rows.next() {
                around.append((Self.farthest(row[0], level, from: point), row[1]))
            }
            var sum = 0
            for cell in around.sorted(by: { $0.metres < $1.metres }) {
                sum += cell.count
                if sum >= many { return min(cell.metres * 1.001 + 1, ItemFinder.farthest) }
            }
        }
        return ItemFinder.farthest
    }

    /// How far the farthest corner of a cell is.
    private static func farthest(_ number: Int, _ level: MapCell.Level, from point: GeoPoint) -> Double {
        let (row, column) = number.quotientAndRemainder(dividingBy: MapCell.columns(level))
        let (south, west) = (Double(row) * level.side - 90, Double(column) * level.side - 180)
        let corners = [(0.0, 0.0), (0, 1), (1, 0), (1, 1)].compactMap { up, right in
            GeoPoint(latitude: min(90, south + up * level.side), longitude: west + right * level.side)
        }
        return corners.map { point.distance(to: $0) }.max() ?? ItemFinder.farthest
    }
}
