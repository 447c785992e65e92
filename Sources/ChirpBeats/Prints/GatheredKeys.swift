internal import ChirpBoards
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB

/// The keys of a new track's print, in one row: a page of the disk instead of one for each key.
enum GatheredKeys {
    /// Keeps those of a print that has none yet.
    static func keep(_ print: RecordingPrint, as number: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO trackPrintsGathered (print, keys) VALUES (?, ?)").execute(
            arguments: [number, TrackFacts.data(print.keys) ?? Data()])
    }

    /// Goes through those of a row without copying them: a lookup does so with all that are gathered.
    static func forEach(in row: Row, at column: Int, _ body: (UInt32) -> Void) throws {
        try row.withUnsafeData(atIndex: column) { data in
            data?.withUnsafeBytes { bytes in
                for place in stride(from: 0, to: bytes.count - bytes.count % 4, by: 4) {
                    body(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
                }
            }
        }
    }
}
