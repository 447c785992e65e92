internal import ChirpPlaces

/// The words that an item is found by beside its text: board, kind, category, state, cells of the map, and the board's own.
///
/// They stand in a column of the index that nobody's text gets into, and are asked for in that column alone. Each is letters and digits,
/// since the index splits at everything else. A filter by them is as fast as by any word; columns are compared as well afterwards.
enum ItemTokens {
    static func board(_ name: String) -> String { "zb" + plain(name) }
    static func kind(_ name: String) -> String { "zk" + plain(name) }
    static func category(_ name: String) -> String { "zc" + plain(name) }
    /// As `items.words` has them.
    static func state(_ state: Item.State) -> String { "zs" + state.rawValue }

    /// What begins a token, so that a visitor's word that does is never taken for the beginning of longer ones.
    static let beginnings = ["zb", "zk", "zc", "zs", "gc"]
    /// The most words of a board that one item has.
    static let mostWords = 40

    /// A board's own words; those that could be taken for another's filter are left out.
    static func own(_ words: [String]) -> [String] {
        words.map(plain).filter { word in
            (1...40).contains(word.utf8.count) && !beginnings.contains { word.hasPrefix($0) }
        }.prefix(mostWords).map { $0 }
    }

    /// Of an item: all but its state, which the table adds.
    static func facets(of draft: ItemDraft, shown: GeoPoint?) -> String {
        let cells = shown.map { point in MapCell.Level.indexed.map { MapCell(point, $0).token } } ?? []
        let own = own(draft.words)
        return ([board(draft.board), kind(draft.kind), category(draft.category)] + cells + own).joined(separator: " ")
    }

    private static func plain(_ name: String) -> String {
        String(
            name.lowercased().unicodeScalars.filter {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
            }
            .map(Character.init))
    }
}

extension MapCell {
    /// The cell among all of its level, counted by rows from the south pole.
    var number: Int { row * Self.columns(level) + column }

    /// The cell of such a number.
    init(number: Int, _ level: Level) {
        let (row, column) = number.quotientAndRemainder(dividingBy: Self.columns(level))
        self.init(level, row: row, column: column)
    }

    /// How many there are around the earth.
    static func columns(_ level: Level) -> Int { Int(clamping: (360 / level.side).rounded()) }
    /// How many there are from pole to pole.
    static func rows(_ level: Level) -> Int { Int(clamping: (180 / level.side).rounded()) }
}
