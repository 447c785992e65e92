internal import FoundationEssentials
internal import GRDB

extension Gazetteer {
    /// More words with the same mark are not compared.
    private static let mostWords = 2000

    /// The beginning of a name is as likely meant as another name with one error whose place has so many times the people.
    private static let weightOfBeginnings: Int64 = 4
    /// Fewer letters are the beginning of something.
    private static let leastForErrors = 4

    /// What may have been meant by a name that has nothing: places of which a name differs by one error, or two in a longer one, or that
    /// begins so; fewer errors first, then the greatest.
    ///
    /// - Parameters:
    ///   - name: of any length; what is beyond 80 characters is not read.
    ///   - limit: at most 50.
    package func suggestions(for name: String, limit: Int) async throws -> [NamedPlace] {
        let limit = min(limit, 50)
        guard limit > 0 else { return [] }
        return try await read { database in
            let typed = try Self.parts(of: name, try PlaceKey(database)).words.joined()
            var best = try Self.misspelt(typed, most: 2, database)
            if typed.unicodeScalars.count >= Self.leastForErrors {
                for row in try Self.beginning(typed, limit: 20 * limit, database) {
                    let meant = Meant(errors: Self.oneError, weight: row["people"] * Self.weightOfBeginnings)
                    let place: Int64 = row["place"]
                    if best[place].map({ meant < $0 }) ?? true { best[place] = meant }
                }
            }
            let order = best.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            return try Self.places(order.prefix(limit).map(\.key), in: database)
        }
    }

    /// Whether a place that differs by one error is more likely meant than all whose names begin so.
    static func isMisspelt(_ typed: String, _ begun: [Row], _ database: Database) throws -> Bool {
        guard let greatest = begun.first, typed.unicodeScalars.count >= leastForErrors else { return false }
        let likely = Meant(errors: oneError, weight: greatest["people"] * weightOfBeginnings)
        return try misspelt(typed, most: 1, database).values.contains { $0 < likely }
    }

    /// How likely a place is meant: the least is the likeliest.
    private struct Meant: Comparable {
        let errors: Int
        let weight: Int64

        static func < (one: Meant, other: Meant) -> Bool { (one.errors, other.weight) < (other.errors, one.weight) }
    }

    /// Of one error that is not in the first letter.
    private static let oneError = 2

    /// Places of which a name differs by so many errors at most.
    private static func misspelt(_ typed: String, most: Int, _ database: Database) throws -> [Int64: Meant] {
        let letters = typed.unicodeScalars.map(\.value)
        var best: [Int64: Meant] = [:]
        let statement = try database.cachedStatement(
            sql: "SELECT place, people FROM names WHERE key = ? AND kind = 0 ORDER BY people DESC LIMIT 20")
        for word in try candidates(typed, database) {
            guard let distance = Spelling.distance(letters, word.unicodeScalars.map(\.value)), distance > 0,
                distance <= most, distance == 1 || letters.count >= 8
            else { continue }
            // The first letter is rarely wrong.
            let errors = oneError * distance + (word.unicodeScalars.first == typed.unicodeScalars.first ? 0 : 1)
            for row in try Row.fetchAll(statement, arguments: [word]) {
                let meant = Meant(errors: errors, weight: row["people"])
                let place: Int64 = row["place"]
                if best[place].map({ meant < $0 }) ?? true { best[place] = meant }
            }
        }
        return best
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
