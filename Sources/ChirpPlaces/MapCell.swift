internal import Glibc

/// A square of the grid over the earth, in degrees. Its name is a word of the index of words: asking for a word in some squares is thirty times
/// faster than joining the index of words with one of places.
package struct MapCell: Hashable, Sendable {
    /// How large squares are.
    package enum Level: Int, Sendable, Codable {
        case wide, middle, fine
        /// For counts of a large part of the earth; 3 stands for all of a board there.
        case broad = 4

        /// Those that the index of words has.
        package static let indexed: [Level] = [.wide, .middle, .fine]

        /// Degrees on a side.
        package var side: Double {
            switch self {
            case .broad: 10
            case .wide: 2
            case .middle: 0.25
            case .fine: 0.02
            }
        }

        var letter: String {
            switch self {
            case .broad: "d"
            case .wide: "a"
            case .middle: "b"
            case .fine: "c"
            }
        }

        /// How many there are around the earth.
        var columns: Int { Int(clamping: (360 / side).rounded()) }
        var rows: Int { Int(clamping: (180 / side).rounded()) }
    }

    package let level: Level
    /// Counted from the south pole.
    package let row: Int
    /// Counted from -180 degrees to the east.
    package let column: Int

    package init(_ point: GeoPoint, _ level: Level) {
        self.level = level
        row = min(level.rows - 1, max(0, Int(clamping: ((point.latitude + 90) / level.side).rounded(.down))))
        column = min(level.columns - 1, max(0, Int(clamping: ((point.longitude + 180) / level.side).rounded(.down))))
    }

    /// - Parameters:
    ///   - row: 0 or more, of the level's.
    ///   - column: 0 or more, of the level's.
    package init(_ level: Level, row: Int, column: Int) {
        self.level = level
        self.row = row
        self.column = column
    }

    /// Letters and digits only, since the tokenizer of the index splits at everything else.
    package var token: String { "gc\(level.letter)\(row)x\(column)" }

    /// Where the square begins, in the south and in the west.
    package var corner: (latitude: Double, longitude: Double) {
        (Double(row) * level.side - 90, Double(column) * level.side - 180)
    }

    /// The point in its middle.
    package var centre: GeoPoint {
        let (south, west) = corner
        // Every middle is a place: squares end at the poles and at the date line.
        return GeoPoint(latitude: south + level.side / 2, longitude: west + level.side / 2) ?? .origin
    }

    /// Every one that a box touches, once; nil when they are more than `most`.
    package static func covering(_ box: GeoBox, _ level: Level, most: Int) -> [MapCell]? {
        var cells: [MapCell] = []
        let pieces = box.pieces
        for (index, piece) in pieces.enumerated() {
            guard let first = GeoPoint(latitude: piece.south, longitude: piece.west) else { return nil }
            let from = MapCell(first, level)
            let top = min(level.rows - 1, Int(clamping: ((piece.north + 90) / level.side).rounded(.down)))
            var right = min(level.columns - 1, Int(clamping: ((piece.east + 180) / level.side).rounded(.down)))
            // A box nearly all around ends in the square that it begins in.
            if index > 0, let start = GeoPoint(latitude: pieces[0].south, longitude: pieces[0].west) {
                right = min(right, MapCell(start, level).column - 1)
            }
            guard top >= from.row, right >= from.column else { continue }
            guard (top - from.row + 1) * (right - from.column + 1) + cells.count <= most else { return nil }
            for row in from.row...top {
                for column in from.column...right { cells.append(MapCell(level, row: row, column: column)) }
            }
        }
        return cells
    }
}
