internal import ChirpFiles
internal import FoundationEssentials
internal import GRDB
internal import Glibc

// Its database is made from files and holds nothing that they do not: it is removed and made anew at will.
extension Gazetteer {
    /// Changes with the tables and with how names are compared.
    private static let version = "3"

    /// Whether a database was made from these files, as they are now, by this release.
    package static func isMade(from folder: String, at path: String) -> Bool {
        guard access(path, R_OK) == 0, let marks = try? PlaceSource(folder: folder).marks(),
            let database = try? open(path)
        else { return false }
        defer { try? database.close() }
        let source = try? database.read { try String.fetchOne($0.cachedStatement(sql: "SELECT source FROM origin")) }
        return source == "\(version): \(marks)"
    }

    /// Makes the database from files of GeoNames, aside, and puts it into its place when it is whole: who reads an older one
    /// goes on.
    /// Blocks for some seconds. Two at once for the same path are not foreseen; a hub's folder has one server.
    ///
    /// - Parameters:
    ///   - folder: with `cities15000.txt`, `admin1Codes.txt` and `countryInfo.txt`.
    ///   - path: where it shall lie; its folder exists.
    /// - Throws: ``GazetteerError``; then what was there is there.
    package static func make(from folder: String, at path: String) throws {
        let draft = "\(path).draft"
        unlink(draft)
        do {
            let source = PlaceSource(folder: folder)
            try fill(draft, from: source)
            do {
                let file = try OpenFile(draft, flags: O_RDONLY)
                guard fsync(file.raw) == 0 else { throw FileError(path: draft) }
            }
            try AtomicFile.move(draft, to: path, flushing: true)
        } catch {
            unlink(draft)
            throw GazetteerError(error)
        }
    }

    private static func fill(_ path: String, from source: PlaceSource) throws {
        var configuration = Configuration()
        configuration.label = "chirp.places.making"
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            // What fails is thrown away whole.
            try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try database.inTransaction {
                try database.execute(sql: tables)
                var making = try GazetteerMaking(database, source)
                try making.run()
                try database.cachedStatement(sql: "INSERT INTO origin (source) VALUES (?)").execute(arguments: [
                    "\(version): \(source.marks())"
                ])
                return .commit
            }
            try database.execute(sql: "ANALYZE")
        }
    }

    private static let tables = """
        CREATE TABLE origin (source TEXT NOT NULL) STRICT;
        CREATE TABLE places (
            id       INTEGER PRIMARY KEY,
            name     TEXT NOT NULL,
            province TEXT NOT NULL,
            country  TEXT NOT NULL,
            -- Code of the province, which begins with that of the country, as in DE.07.
            area     TEXT NOT NULL,
            lat      REAL NOT NULL,
            lon      REAL NOT NULL,
            people   INTEGER NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE placeBoxes USING rtree(id, south, north, west, east, +people INTEGER);
        -- The greatest of a large part of the earth are soon found from the greatest of all.
        CREATE INDEX placesByPeople ON places (people DESC, id, lat, lon);
        -- Kind 0: what people call it; 1: a code.
        CREATE TABLE names (
            key    TEXT NOT NULL,
            kind   INTEGER NOT NULL,
            people INTEGER NOT NULL,
            -- 0: the name that it is listed under.
            isOther INTEGER NOT NULL,
            place  INTEGER NOT NULL REFERENCES places (id),
            PRIMARY KEY (key, kind, people DESC, isOther, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE words (id INTEGER PRIMARY KEY, key TEXT NOT NULL) STRICT;
        -- Entries of eight bytes: a mark and the id of a word that has it.
        CREATE TABLE spellings (bucket INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;
        CREATE TABLE areas (key TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (key, code)) STRICT, WITHOUT ROWID;
        """
}
