internal import ChirpPlaces
internal import GRDB

extension ItemFinder {
    /// What a map of a box shows: at most so many markers, whose counts add up to all that is found in it.
    ///
    /// Of a search by words they are made of the newest ``mostGrouped`` that are found.
    func markers(in box: GeoBox, most: Int) throws -> [MarkerGroup] {
        guard isCounted, query.area == nil else {
            var found: [Candidate] = []
            let areas = (query.area.map { [$0] } ?? []) + [.box(box)]
            if isCounted {
                found = try inside(areas)
            } else {
                try walk(areas) { candidate in
                    found.append(candidate)
                    return found.count < Self.mostGrouped
                }
            }
            return grouped(found, in: box, most: most)
        }
        let groups = try counted(in: box, most: most)
        let total = groups.reduce(0) { $0 + $1.count }
        return total > most ? groups : grouped(try inside([.box(box)]), in: box, most: most)
    }

    /// Each place of its own, if they are few enough.
    private func grouped(_ found: [Candidate], in box: GeoBox, most: Int) -> [MarkerGroup] {
        var places: [GeoPoint: MarkerGroup] = [:]
        for candidate in found {
            guard let point = candidate.point else { continue }
            places[point, default: MarkerGroup()].add(candidate.item, at: point, in: box)
        }
        if places.count <= most { return Array(places.values) }
        let lattice = MarkerLattice(box, most: most)
        var groups: [Int: MarkerGroup] = [:]
        for (point, group) in places { groups[lattice.number(point), default: MarkerGroup()].add(group, 1) }
        return Array(groups.values)
    }

    /// The level at whose cells little is at the edge of a piece of a box.
    private func exactLevel(for piece: GeoBox, _ lattice: MarkerLattice) throws -> MapCell.Level {
        guard max(piece.width, piece.height) > 2.5 else { return .fine }
        // A window of the earth ends in the middle of an ocean as a rule, and has a thousand cells of the middle level along its edge.
        guard let inner = ItemCells.inside(piece, .wide), let touched = ItemCells.touched(by: piece, .wide),
            MapCell.Level.wide.isFine(for: lattice),
            try cells.all.count(in: touched.around(inner, times: 1), .wide) <= Self.few
        else { return .middle }
        return .wide
    }

    /// By the counts of the cells that are wholly in the box, and by the items themselves in those at its edge.
    private func counted(in box: GeoBox, most: Int) throws -> [MarkerGroup] {
        let lattice = MarkerLattice(box, most: most)
        var groups: [Int: MarkerGroup] = [:]
        for piece in box.pieces {
            let level = try exactLevel(for: piece, lattice)
            let inner = ItemCells.inside(piece, level)
            for (range, level) in Self.ranges(inner, level, of: piece, lattice) {
                try count(range, level, lattice, &groups)
                try takeOut(range, level, lattice, &groups)
            }
            var seen: Set<Int64> = []
            for strip in Self.strips(of: piece, around: inner, level) {
                let rows = try points(in: strip)
                while let row = try rows.next() {
                    guard let point = GeoPoint(latitude: row[1], longitude: row[2]), piece.contains(point) else {
                        continue
                    }
                    let item: Int64 = row[0]
                    if let inner, inner.contains(MapCell(point, level)) { continue }
                    // Where strips meet, the R*Tree finds the same one in both.
                    guard seen.insert(item).inserted else { continue }
                    groups[lattice.number(point), default: MarkerGroup()].add(item, at: point, in: box)
                }
            }
        }
        return groups.values.filter { $0.count > 0 }
    }

    /// Cells that together are the inner ones of a piece: the largest that are hardly larger than a field of the lattice (a window of the
    /// earth ends before the poles), and smaller ones around them.
    private static func ranges(
        _ inner: ItemCells.Range?, _ level: MapCell.Level, of piece: GeoBox, _ lattice: MarkerLattice
    ) -> [(ItemCells.Range, MapCell.Level)] {
        guard var outer = inner else { return [] }
        var (ranges, outerLevel) = ([(ItemCells.Range, MapCell.Level)](), level)
        let larger: [MapCell.Level] = level == .fine ? [] : level == .middle ? [.wide, .broad] : [.broad]
        for larger in larger where larger.isFine(for: lattice) {
            guard let core = ItemCells.inside(piece, larger) else { break }
            ranges += outer.around(core, times: Int(clamping: larger.side / outerLevel.side)).map { ($0, outerLevel) }
            (outer, outerLevel) = (core, larger)
        }
        return ranges + [(outer, outerLevel)]
    }

    private func count(
        _ range: ItemCells.Range, _ level: MapCell.Level, _ lattice: MarkerLattice, _ groups: inout [Int: MarkerGroup]
    ) throws {
        let statement = cells.statement("cells.cell, cells.n, cells.lat, cells.lon, cells.items", [range], level)
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: statement.sql), arguments: statement.arguments)
        while let row = try rows.next() {
            let (cell, count, longitudes) = (MapCell(number: row[0], level), row[1] as Int, row[3] as Int)
            let isBeyond = longitudes < count * lattice.west
            groups[lattice.number(cell), default: MarkerGroup()].add(
                MarkerGroup(
                    count: count, latitudes: row[2], longitudes: longitudes + (isBeyond ? count * 360_000_000 : 0),
                    items: row[4]), 1)
        }
    }

    /// Counts know nothing of who has blocked whom.
    private func takeOut(
        _ range: ItemCells.Range, _ level: MapCell.Level, _ lattice: MarkerLattice, _ groups: inout [Int: MarkerGroup]
    ) throws {
        guard let account = reader.account else { return }
        let filter = filter("place")
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT place.item, place.lat, place.lon
                FROM (SELECT blocked AS person FROM blocks WHERE blocker = ?
                    UNION SELECT blocker FROM blocks WHERE blocked = ?) AS people
                CROSS JOIN items INDEXED BY itemsByAccount ON items.account = people.person
                CROSS JOIN openItems AS place ON place.item = items.sequence
                WHERE place.lat IS NOT NULL AND \(filter.sql)
                """, arguments: [account, account] + filter.arguments)
        while let row = try rows.next() {
            guard let point = GeoPoint(latitude: row[1], longitude: row[2]) else { continue }
            let cell = MapCell(point, level)
            guard range.contains(cell) else { continue }
            var one = MarkerGroup()
            one.add(row[0], at: point, in: lattice.box)
            groups[lattice.number(cell), default: MarkerGroup()].add(one, -1)
        }
    }

    /// The parts of a piece of a box around its inner cells.
    private static func strips(
        of piece: GeoBox, around inner: ItemCells.Range?, _ level: MapCell.Level
    ) -> [GeoBox] {
        guard let inner else { return [piece] }
        let (south, west) = (
            Double(inner.rows.lowerBound) * level.side - 90, Double(inner.columns.lowerBound) * level.side - 180
        )
        let (north, east) = (
            Double(inner.rows.upperBound + 1) * level.side - 90, Double(inner.columns.upperBound + 1) * level.side - 180
        )
        var strips: [GeoBox] = []
        func add(_ south: Double, _ west: Double, _ north: Double, _ east: Double) {
            guard south < north, west < east,
                let strip = GeoBox(south: south, west: west, north: north, east: east)
            else { return }
            strips.append(strip)
        }
        add(piece.south, piece.west, south, piece.east)
        add(north, piece.west, piece.north, piece.east)
        add(south, piece.west, north, west)
        add(south, east, north, piece.east)
        return strips
    }
}

extension MapCell.Level {
    /// Whether its cells are hardly larger than the fields of a lattice.
    fileprivate func isFine(for lattice: MarkerLattice) -> Bool { side <= 1.25 * lattice.side }
}
