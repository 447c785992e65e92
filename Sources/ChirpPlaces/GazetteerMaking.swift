internal import FoundationEssentials
internal import GRDB

/// Fills the tables of a gazetteer from its source, in one transaction.
struct GazetteerMaking {
    private let database: Database
    private let source: PlaceSource
    private let keys: PlaceKey
    private var areaNames: [String: String] = [:]

    init(_ database: Database, _ source: PlaceSource) throws {
        self.database = database
        self.source = source
        keys = try PlaceKey(database)
    }

    mutating func run() throws {
        try addAreas()
        try addTowns()
        try addSpellings()
    }

    private mutating func addAreas() throws {
        let statement = try database.makeStatement(sql: "INSERT OR IGNORE INTO areas (key, code) VALUES (?, ?)")
        for area in try source.readCountries() + source.readProvinces() {
            areaNames[area.code] = area.name
            for name in [area.name] + area.others {
                let key = try keys.key(name)
                if !key.isEmpty { try statement.execute(arguments: [key, area.code]) }
            }
        }
    }

    private func addTowns() throws {
        let place = try database.makeStatement(
            sql: """
                INSERT OR IGNORE INTO places (id, name, province, country, area, lat, lon, people)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let box = try database.makeStatement(
            sql: "INSERT INTO placeBoxes (id, south, north, west, east, people) VALUES (?, ?, ?, ?, ?, ?)")
        let called = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO names (key, kind, people, isOther, place) VALUES (?, ?, ?, ?, ?)")
        var count = 0
        try source.readTowns { town in
            try place.execute(arguments: [
                town.id, town.name, areaNames[town.province] ?? "", areaNames[town.country] ?? "", town.province,
                town.point.latitude, town.point.longitude, town.people,
            ])
            // A place that is there twice has its first line.
            guard database.changesCount == 1 else { return }
            count += 1
            let (latitude, longitude) = (town.point.latitude, town.point.longitude)
            try box.execute(arguments: [town.id, latitude, latitude, longitude, longitude, town.people])
            var known = Set<String>()
            // Names before codes: what is both is a name.
            for name in [town.name[...]] + town.others.filter({ !isCode($0) }) {
                try add(name, 0, town, called, &known)
            }
            for code in town.others where isCode(code) { try add(code, 1, town, called, &known) }
        }
        guard count > 0 else { throw GazetteerError.noPlaces(path: "\(source.folder)/\(PlaceSource.towns)") }
    }

    private func add(
        _ name: Substring, _ kind: Int, _ town: PlaceSource.Town, _ called: Statement, _ known: inout Set<String>
    ) throws {
        guard name.utf8.count <= 4 * PlaceKey.most, !name.contains("/") else { return }
        let key = try keys.key(name)
        guard !key.isEmpty, known.insert(key).inserted else { return }
        // The first that is added is its own.
        try called.execute(arguments: [key, kind, town.people, known.count > 1, town.id])
    }

    /// Whether it is an airport's code, as in `CGN`. A town may well be called so too, and then it is meant.
    private func isCode(_ name: Substring) -> Bool {
        name.utf8.count == 3 && name.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private func addSpellings() throws {
        try database.cachedStatement(
            sql: "INSERT INTO words (key) SELECT DISTINCT key FROM names WHERE kind = 0 AND length(key) >= ?"
        ).execute(arguments: [Spelling.least])
        // Sorted by bucket: written once, in order.
        var entries: [UInt64] = []
        let words = try Row.fetchCursor(database, sql: "SELECT id, key FROM words")
        while let row = try words.next() {
            let (id, key): (Int64, String) = (row[0], row[1])
            for mark in Spelling.marks(key) {
                let bucket = UInt64(mark) & UInt64(Spelling.buckets - 1)
                entries.append(bucket << 48 | UInt64(mark >> 16) << 32 | UInt64(UInt32(truncatingIfNeeded: id)))
            }
        }
        entries.sort()
        let insert = try database.makeStatement(sql: "INSERT INTO spellings (bucket, entries) VALUES (?, ?)")
        var (start, blob) = (0, [UInt8]())
        while start < entries.count {
            let bucket = entries[start] >> 48
            var end = start
            blob.removeAll(keepingCapacity: true)
            while end < entries.count, entries[end] >> 48 == bucket {
                let mark = UInt32(truncatingIfNeeded: entries[end] >> 32 & 0xFFFF) << 16 | UInt32(bucket)
                for number in [mark, UInt32(truncatingIfNeeded: entries[end])] {
                    for shift in [0, 8, 16, 24] as [UInt32] { blob.append(UInt8(truncatingIfNeeded: number >> shift)) }
                }
                end += 1
            }
            try insert.execute(arguments: [Int64(bucket), Data(blob)])
            start = end
        }
    }
}
