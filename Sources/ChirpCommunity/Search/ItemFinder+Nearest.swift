internal import ChirpPlaces
internal import GRDB

extension ItemFinder {
    /// Of a cell with at most so many, they are read; of one with more, its smaller cells are looked at first.
    private static let fewInCell = 24

    /// The nearest to a point of what counts answer, exactly, however far they are: cells are opened the nearest first, until no other can
    /// hold one that is nearer than what was found. From the middle of an ocean that is the next shore, not all within the circle.
    ///
    /// - Parameters:
    ///   - beyond: they lie farther than this, or as far with a greater number.
    ///   - many: how many at most.
    func nearest(
        to point: GeoPoint, beyond: (metres: Double, item: Int64), many: Int
    ) throws -> [(metres: Double, item: Int64)] {
        // What is asked for in an area need not be looked for beyond it.
        let whole = query.area?.bounds ?? .world
        let farthest = query.area == nil ? Self.farthest : whole.farthest(from: point)
        for reach in [1e3, 4e3, 16e3, 64e3, 256e3, 1024e3, 4096e3] where reach < farthest {
            let box = GeoBox(around: point, radius: reach)
            let level = Self.level(for: box)
            guard try cells.count(touching: box, level) >= many else { continue }
            let found = try nearest(to: point, among: box, level, beyond: beyond, many: many)
            // What is not in the box is farther than that.
            if found.count == many, let last = found.last, last.metres <= reach { return found }
        }
        return try nearest(to: point, among: whole, Self.level(for: whole), beyond: beyond, many: many)
    }

    private func nearest(
        to point: GeoPoint, among box: GeoBox, _ level: MapCell.Level, beyond: (metres: Double, item: Int64), many: Int
    ) throws -> [(metres: Double, item: Int64)] {
        var waiting = CellQueue()
        for cell in try cells.counts(in: box, level) {
            waiting.add(OpenCell(metres: cell.box.distance(from: point), level: level, cell: cell))
        }
        var found: [(metres: Double, item: Int64)] = []
        // Cells of different levels overlap at their edges, and the R*Tree finds what lies there for both.
        var (seenItems, seenCells) = (Set<Int64>(), Set<Int>())
        while let next = waiting.next() {
            guard query.area?.bounds.touches(next.cell.box) != false else { continue }
            if found.count == many, let last = found.last, next.metres > last.metres { break }
            if next.level != .fine, next.cell.count > Self.fewInCell {
                let smaller: MapCell.Level = next.level == .wide ? .middle : .fine
                for cell in try cells.counts(in: next.cell.box, smaller) {
                    guard smaller != .fine || seenCells.insert(cell.number).inserted else { continue }
                    waiting.add(OpenCell(metres: cell.box.distance(from: point), level: smaller, cell: cell))
                }
                continue
            }
            let rows = try points(in: next.cell.box)
            while let row = try rows.next() {
                guard let place = GeoPoint(latitude: row[1], longitude: row[2]), seenItems.insert(row[0]).inserted,
                    query.area?.contains(place) != false
                else { continue }
                let one = (metres: point.distance(to: place), item: row[0] as Int64)
                guard one > beyond else { continue }
                if found.count == many {
                    guard let last = found.last, one < last else { continue }
                    found.removeLast()
                }
                found.insert(one, at: found.firstIndex { one < $0 } ?? found.endIndex)
            }
        }
        return found
    }
}

/// A cell that was not looked into, and how near what is in it may be.
private struct OpenCell {
    let metres: Double
    let level: MapCell.Level
    let cell: ItemCells.Count
}

/// The nearest first: a binary heap.
private struct CellQueue {
    private var heap: [OpenCell] = []

    mutating func add(_ cell: OpenCell) {
        heap.append(cell)
        var place = heap.count - 1
        while place > 0, heap[place].metres < heap[(place - 1) / 2].metres {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func next() -> OpenCell? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && heap[child].metres < heap[least].metres { least = child }
            if least == place { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}

extension ItemCells {
    /// How many are in a cell.
    struct Count {
        let number: Int
        let count: Int
        let box: GeoBox
    }

    /// The cells that a box touches and in which something is.
    func counts(in box: GeoBox, _ level: MapCell.Level) throws -> [Count] {
        let statement = statement(
            "cells.cell, SUM(cells.n)", box.pieces.compactMap { Self.touched(by: $0, level) }, level)
        return try Row.fetchAll(
            database.cachedStatement(sql: "\(statement.sql) GROUP BY cells.cell"), arguments: statement.arguments
        ).compactMap { row in
            Self.box(row[0], level).map { Count(number: row[0], count: row[1], box: $0) }
        }
    }

    /// Where the cell of a number is.
    private static func box(_ number: Int, _ level: MapCell.Level) -> GeoBox? {
        let (row, column) = number.quotientAndRemainder(dividingBy: MapCell.columns(level))
        let (south, west) = (Double(row) * level.side - 90, Double(column) * level.side - 180)
        return GeoBox(south: south, west: west, north: min(90, south + level.side), east: min(180, west + level.side))
    }
}
