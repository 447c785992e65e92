internal import GRDB

// By name. What is typed is never a part of a query's text.
extension Gazetteer {
    /// The most that is answered at once.
    private static let most = 50

    /// Places by a name as somebody typed it, in any of their languages, best first; the largest first among equals, and of those as large
    /// the one that is listed under it.
    ///
    /// Behind a comma, or behind the name, stand the province or the country, as in `Paris, Texas` or `paris tx`; what is none is passed
    /// over. Places whose names only begin so come after those that are called so. Where none is called so and a much larger place
    /// differs by one error, nothing is found: ``suggestions(for:limit:)`` has both.
    ///
    /// - Parameters:
    ///   - name: of any length; what is beyond 80 characters is not read.
    ///   - limit: at most 50.
    package func places(named name: String, limit: Int) async throws -> [NamedPlace] {
        let limit = min(limit, Self.most)
        guard limit > 0 else { return [] }
        return try await read { database in
            let keys = try PlaceKey(database)
            let (words, contexts) = try Self.parts(of: name, keys)
            guard !words.isEmpty else { return [] }
            let whole = words.joined()
            var found = try Self.called(whole, contexts, limit, database)
            if found.count < limit, whole.unicodeScalars.count > 1 {
                let begun = try Self.beginning(whole, limit: contexts.isEmpty ? limit * 20 : 4000, database)
                if found.isEmpty, contexts.isEmpty, try Self.isMisspelt(whole, begun, database) { return [] }
                let areas = try contexts.map { try Self.areas($0, database) }.filter { !$0.isEmpty }
                for id in Self.inside(areas, begun, onlyThere: false) where !found.contains(id) { found.append(id) }
            }
            // The last words may be an area: the longest name that leaves one.
            var count = words.count - 1
            while found.isEmpty, count > 0 {
                let areas = try Self.areas(words[count...].joined(), database)
                if !areas.isEmpty {
                    found = try Self.called(words[..<count].joined(), [areas], limit, database, onlyThere: true)
                }
                count -= 1
            }
            return try Self.places(Array(found.prefix(limit)), in: database)
        }
    }

    /// The words of a name, and the areas that stand behind it.
    static func parts(of name: String, _ keys: PlaceKey) throws -> (words: [String], contexts: [String]) {
        var parts = String(String.UnicodeScalarView(name.unicodeScalars.prefix(PlaceKey.most)))
            .split(whereSeparator: { ",;，、،\n".contains($0) })[...]
        var words: [String] = []
        while words.isEmpty, let first = parts.popFirst() { words = try keys.words(first) }
        return (words, try parts.prefix(3).map(keys.key).filter { !$0.isEmpty })
    }

    private static func called(
        _ key: String, _ contexts: [String], _ limit: Int, _ database: Database
    ) throws -> [Int64] {
        try called(key, contexts.map { try areas($0, database) }.filter { !$0.isEmpty }, limit, database)
    }

    /// - Parameters:
    ///   - contexts: each of them codes of areas of one name.
    ///   - onlyThere: none when there is none in the areas; otherwise those elsewhere.
    private static func called(
        _ key: String, _ contexts: [Set<String>], _ limit: Int, _ database: Database, onlyThere: Bool = false
    ) throws -> [Int64] {
        // Hundreds share a name at most.
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT place, area FROM names CROSS JOIN places ON places.id = names.place
                    WHERE key = ? ORDER BY kind, names.people DESC, isOther, place LIMIT ?
                    """), arguments: [key, contexts.isEmpty ? limit : 1000])
        return inside(contexts, rows, onlyThere: onlyThere)
    }

    /// Names that begin so, those of the greatest places first: id, area and people of the place of each.
    static func beginning(_ key: String, limit: Int, _ database: Database) throws -> [Row] {
        // A place has many names that begin alike.
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT place, area, begun.people FROM (
                        SELECT place, people FROM names WHERE key > ?1 AND key < ?1 || char(1114111) AND kind = 0
                        ORDER BY people DESC LIMIT ?2
                    ) AS begun CROSS JOIN places ON places.id = begun.place
                    """), arguments: [key, limit])
    }

    /// Without repetitions, in their order.
    private static func inside(_ contexts: [Set<String>], _ rows: [Row], onlyThere: Bool) -> [Int64] {
        var (seen, all, there) = (Set<Int64>(), [Int64](), [Int64]())
        for row in rows {
            let (id, area): (Int64, String) = (row["place"], row["area"])
            guard seen.insert(id).inserted else { continue }
            all.append(id)
            let country = String(area.prefix { $0 != "." })
            if contexts.allSatisfy({ $0.contains(area) || $0.contains(country) }) { there.append(id) }
        }
        return there.isEmpty && !onlyThere ? all : there
    }

    /// Codes of countries and provinces of a name.
    private static func areas(_ key: String, _ database: Database) throws -> Set<String> {
        try Set(
            String.fetchAll(database.cachedStatement(sql: "SELECT code FROM areas WHERE key = ?"), arguments: [key]))
    }
}
