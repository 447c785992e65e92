package import ChirpAccounts
package import ChirpPlaces
internal import FoundationEssentials
package import GRDB
internal import Glibc

/// What of an item is compared with others.
package struct ItemLikeness: Sendable {
    package let sequence: Int64
    package let id: HubID
    package let account: AccountID
    package let category: String
    /// Title, tags, text, and what is said in its clip.
    package let text: String
    /// Where it is shown; never the place itself, which a comparison would give away.
    package let shown: GeoPoint?
}

/// Items that say the same as another one, for boards that look for what belongs together.
extension Items {
    /// How many of the newest items words are counted in: enough to tell a rare word from a common one, and few enough to ask at each
    /// placing however many items there are.
    private static let sample: Int64 = 5000
    /// Items that would say nothing of all this: where there are only a few, two that say the same say something.
    private static let prior = 200.0
    /// The most cells of the map that a question names.
    private static let mostCells = 40

    /// How rare words are: the logarithm of one over the part of the newest items that say them, 0 for what nearly all say.
    ///
    /// - Parameter words: letters and digits; each in the forms in which it may be written.
    package static func rarity(of words: [String: [String]], in database: Database) throws -> [String: Double] {
        let newest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(sequence) FROM items")) ?? 0
        let first = max(0, newest - sample)
        let all =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM items WHERE sequence > ?"), arguments: [first]) ?? 0
        return try words.mapValues { forms in
            let said = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM itemWords WHERE itemWords MATCH ? AND rowid > ?"),
                arguments: [Self.saying(forms), first])
            return max(0, log((Double(all) + prior) / (Double(said ?? 0) + 0.5)))
        }
    }

    /// What is looked for.
    package struct Sought: Sendable {
        package var board, kind, category: String
        /// Where to look around; nil: everywhere.
        package var point: GeoPoint?
        /// Words, the rarest first, each in the forms in which it may be written.
        package var words: [[String]]

        package init(board: String, kind: String, category: String, point: GeoPoint?, words: [[String]]) {
            self.board = board
            self.kind = kind
            self.category = category
            self.point = point
            self.words = words
        }
    }

    /// Metres around a point in which is looked, by squares of the map, so also a little further; and around it, where there is much.
    private static let reach = 30_000.0
    private static let closeReach = 3000.0
    /// So many are compared whatever they say. Where there are more, so many of a category, and so many by their words.
    private static let few = 250
    private static let mostOfCategory = 100
    private static let mostByWords = 120
    /// How many words are asked for, and how many of them first.
    private static let mostWords = 12
    private static let rarest = 4

    /// Open items that may be like something: in most places all that are near; where they are many, or where nobody knows the place,
    /// those of the category that are the newest and the nearest, and those that say the rarest words.
    ///
    /// Nothing is ordered by rank: for that SQLite counts each word and each filter over all of the index, a tenth of a second and more
    /// at a million (fts5_aux.c, fts5Bm25GetData). The order of sequences costs nothing. Board, kind and state are looked up in the rows of
    /// what is near: nearly all items have the same ones, and to step through such long lists in the index takes twice as long (11.5 ms
    /// and 6.0 at a million for what is near, 21.6 and 6.2 for a category).
    ///
    /// - Returns: their sequences, and how many there are near, at most 250.
    package static func alike(_ sought: Sought, in database: Database) throws -> (found: [Int64], near: Int) {
        let around = sought.point.map { cells(around: $0, reach, .middle) } ?? []
        func newest(_ category: String?, _ cells: [String], _ words: String?, most: Int) throws -> [Int64] {
            let cells = cells.isEmpty ? nil : "(\(cells.map(quoted).joined(separator: " OR ")))"
            let own = [category.map { quoted(ItemTokens.category($0)) }, cells].compactMap { $0 }
            let filter = own.isEmpty ? nil : "{words} : (\(own.joined(separator: " AND ")))"
            return try Int64.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT items.sequence FROM itemWords CROSS JOIN items ON items.sequence = itemWords.rowid
                        WHERE itemWords MATCH ? AND board = ? AND kind = ? AND listed = 1
                        ORDER BY itemWords.rowid DESC LIMIT ?
                        """),
                arguments: [
                    [filter, words].compactMap { $0 }.joined(separator: " AND "), sought.board, sought.kind, most,
                ])
        }
        if !around.isEmpty {
            let near = try newest(nil, around, nil, most: few + 1)
            if near.count <= few { return (near, near.count) }
        }
        var found: Set<Int64> = []
        if let point = sought.point {
            let close = cells(around: point, closeReach, .fine)
            found.formUnion(try newest(sought.category, close, nil, most: mostOfCategory))
            found.formUnion(try newest(sought.category, around, nil, most: mostOfCategory))
        }
        // The rarest alone first: what says one of them must not be missed among all that says the others. Each question looks up all
        // cells, so there are two and not one for each word.
        for words in [sought.words.prefix(rarest), sought.words.dropFirst(rarest).prefix(mostWords - rarest)]
        where !words.isEmpty {
            found.formUnion(try newest(nil, around, saying(words.flatMap { $0 }), most: mostByWords))
        }
        return (found.sorted(by: >), few)
    }

    private static func cells(around point: GeoPoint, _ radius: Double, _ level: MapCell.Level) -> [String] {
        let box = GeoBox(around: point, radius: radius)
        let cells =
            MapCell.covering(box, level, most: mostCells) ?? MapCell.covering(box, .middle, most: mostCells)
            ?? MapCell.covering(box, .wide, most: mostCells) ?? []
        return cells.map(\.token)
    }

    /// What of some items is compared, of those that lists show, in the order of their sequences as given.
    package static func likenesses(of sequences: [Int64], in database: Database) throws -> [ItemLikeness] {
        guard !sequences.isEmpty else { return [] }
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT items.sequence, items.id, items.account, category, title, tags, items.text, shownLat, shownLon, spoken
                    FROM json_each(?) AS list CROSS JOIN items ON items.sequence = list.value
                    LEFT JOIN itemPlaces ON itemPlaces.item = items.sequence
                    LEFT JOIN transcripts ON transcripts.clip = items.clip
                    WHERE items.listed = 1 ORDER BY list.key
                    """), arguments: [sequences.statementList()]
        ).compactMap { row in
            guard let id = HubID(row[1] as String) else { return nil }
            let (latitude, longitude): (Double?, Double?) = (row[7], row[8])
            let shown = latitude.flatMap { latitude in
                longitude.flatMap { GeoPoint(latitude: latitude, longitude: $0) }
            }
            let (title, tags, text): (String, String, String) = (row[4], row[5], row[6])
            return ItemLikeness(
                sequence: row[0], id: id, account: row[2], category: row[3],
                text: "\(title)\n\(tags)\n\(text)\n\(row[9] as String? ?? "")", shown: shown)
        }
    }

    /// What pictures of items look like, by the pictures' own prints: 256 bits each; those that have none are left out.
    package static func prints(of items: [Int64], in database: Database) throws -> [Int64: [[UInt8]]] {
        guard !items.isEmpty, try database.tableExists("pictures") else { return [:] }
        var prints: [Int64: [[UInt8]]] = [:]
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT itemPictures.item, print FROM json_each(?) AS list
                    CROSS JOIN itemPictures ON itemPictures.item = list.value
                    JOIN pictures ON pictures.id = itemPictures.picture WHERE typeof(print) = 'blob' AND length(print) >= 32
                    """), arguments: [items.statementList()])
        for row in rows { prints[row[0], default: []].append(Array((row[1] as Data).prefix(32))) }
        return prints
    }

    /// The other side of an accepted claim is one no longer.
    package static func endSight(of id: HubID, _ account: AccountID, in database: Database) throws {
        try database.cachedStatement(
            sql: "DELETE FROM itemSight WHERE item = (SELECT sequence FROM items WHERE id = ?) AND account = ?"
        ).execute(arguments: [id.text, account])
    }

    /// Items that say one of some words.
    private static func saying(_ forms: [String]) -> String {
        "{title text tags spoken} : (\(forms.map(quoted).joined(separator: " OR ")))"
    }

    /// A word as the index takes it for nothing else.
    private static func quoted(_ word: String) -> String { "\"\(word.filter { $0.isLetter || $0.isNumber })\"" }
}
