internal import FoundationEssentials
internal import GRDB

extension Gazetteer {
    /// More words with the same mark are not compared.
    private static let mostWords = 2000

    /// What may have been meant by a name that has nothing: places of which a name differs by one error, or two in a longer one; fewer
    /// errors first, then the greatest.
    ///
    /// - Parameters:
    ///   - name: of any length; what is beyond 80 characters is not read.
    ///   - limit: at most 50.
    package func suggestions(for name: String, limit: Int) async throws -> [NamedPlace] {
        let limit = min(limit, 50)
        guard limit > 0 else { return [] }
        return try await read { database in
            let typed = try Self.parts(of: name, try PlaceKey(database)).words.joined()
            let letters = typed.unicodeScalars.map(\.value)
            var best: [Int64: (errors: Int, people: Int64)] = [:]
            let statement = try database.cachedStatement(
                sql: "SELECT place, people FROM names WHERE key = ? AND kind = 0 ORDER BY people DESC LIMIT 20")
            for word in try Self.candidates(typed, database) {
                guard let distance = Spelling.distance(letters, word.unicodeScalars.map(\.value)), distance > 0,
                    distance == 1 || letters.count >= 8
                else { continue }
                // The first letter is rarely wrong.
                let errors = 2 * distance + (word.unicodeScalars.first == typed.unicodeScalars.first ? 0 : 1)
                for row in try Row.fetchAll(statement, arguments: [word]) {
                    let (place, people): (Int64, Int64) = (row["place"], row["people"])
                    if let known = best[place], known.errors <= errors { continue }
                    best[place] = (errors, people)
                }
            }
            let order = best.sorted {
                ($0.value.errors, $1.value.people, $0.key) < ($1.value.errors, $0.value.people, $1.key)
            }
            return try Self.places(order.prefix(limit).map(\.key), in: database)
        }
    }

    /// Words that share a mark with a typed one.
    private static func candidates(_ typed: String, _ database: Database) throws -> [String] {
        let bucket = try database.cachedStatement(sql: "SELECT entries FROM spellings WHERE bucket = ?")
        var ids = Set<UInt32>()
        for mark in Spelling.marks(typed) {
            let entries =
                try Data.fetchOne(bucket, arguments: [Int(mark) & (Spelling.buckets - 1)]).map(Array.init) ?? []
            for start in stride(from: 0, to: entries.count - 7, by: 8) where number(entries, start) == mark {
                ids.insert(number(entries, start + 4))
            }
        }
        let word = try database.cachedStatement(sql: "SELECT key FROM words WHERE id = ?")
        return try ids.sorted().prefix(mostWords).compactMap { try String.fetchOne(word, arguments: [$0]) }
    }

    /// Four bytes, the least first.
    private static func number(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
