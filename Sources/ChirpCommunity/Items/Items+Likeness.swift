package import ChirpAccounts
package import ChirpPlaces
internal import FoundationEssentials
package import GRDB
internal import Glibc

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
    /// - Parameter words: letters and digits.
    package static func rarity(of words: some Sequence<String>, in database: Database) throws -> [String: Double] {
        let newest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(sequence) FROM items")) ?? 0
        let first = max(0, newest - sample)
        let all =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM items WHERE sequence > ?"), arguments: [first]) ?? 0
        var rarity: [String: Double] = [:]
        for word in words {
            let said = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM itemWords WHERE itemWords MATCH ? AND rowid > ?"),
                arguments: ["{title text tags} : \(quoted(word))", first])
            rarity[word] = max(0, log((Double(all) + prior) / (Double(said ?? 0) + 0.5)))
        }
        return rarity
    }

    /// Open items of a board and kind that say at least one of some words, those that say the most of the rarest first.
    ///
    /// - Parameters:
    ///   - point: where to look around, within a radius in metres by squares of the map, so also a little further; nil: everywhere.
    ///   - account: whose are left out.
    package static func alike(
        board: String, kind: String, words: some Sequence<String>, near point: GeoPoint?, within radius: Double,
        without account: AccountID, most: Int, in database: Database
    ) throws -> [HubID] {
        let any = words.map(quoted).joined(separator: " OR ")
        guard !any.isEmpty else { return [] }
        var filters = [ItemTokens.board(board), ItemTokens.kind(kind), ItemTokens.state(.open)].map(quoted)
        if let point {
            let box = GeoBox(around: point, radius: radius)
            let cells =
                MapCell.covering(box, .middle, most: mostCells) ?? MapCell.covering(box, .wide, most: mostCells) ?? []
            if !cells.isEmpty { filters.append("(\(cells.map { quoted($0.token) }.joined(separator: " OR ")))") }
        }
        return try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT items.id FROM itemWords CROSS JOIN items ON items.sequence = itemWords.rowid
                    WHERE itemWords MATCH ? AND items.board = ? AND items.kind = ? AND items.listed = 1 AND items.account <> ?
                    ORDER BY itemWords.rank LIMIT ?
                    """),
            arguments: [
                "{words} : (\(filters.joined(separator: " AND "))) AND {title text tags} : (\(any))", board, kind,
                account,
                most,
            ]
        ).compactMap { HubID($0) }
    }

    /// What pictures look like, by the pictures' own prints: 256 bits each; those that have none are left out.
    package static func prints(of pictures: [HubID], in database: Database) throws -> [[UInt8]] {
        guard !pictures.isEmpty, try database.tableExists("pictures") else { return [] }
        let list = try pictures.map(\.text).statementList()
        return try Data.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT print FROM pictures WHERE id IN (SELECT value FROM json_each(?)) AND typeof(print) = 'blob'
                    """), arguments: [list]
        ).map { Array($0) }.filter { $0.count >= 32 }.map { Array($0.prefix(32)) }
    }

    /// The other side of an accepted claim is one no longer.
    package static func endSight(of id: HubID, _ account: AccountID, in database: Database) throws {
        try database.cachedStatement(
            sql: "DELETE FROM itemSight WHERE item = (SELECT sequence FROM items WHERE id = ?) AND account = ?"
        ).execute(arguments: [id.text, account])
    }

    /// A word as the index takes it for nothing else.
    private static func quoted(_ word: String) -> String { "\"\(word.filter { $0.isLetter || $0.isNumber })\"" }
}
