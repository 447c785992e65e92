internal import ChirpMusic
internal import GRDB

/// Which prints have the keys that are asked for. A print's keys are gathered in one row until a ``PrintMerge`` has brought them into the table
/// that has the key first; until then they are read from that row alone, whatever part of them the table has already.
struct KeyOwners {
    /// Of each probe that somebody has; of more than ``PrintSearch/mostOwners`` not all need be here.
    private(set) var owners: [UInt32: [Int64]] = [:]

    /// - Parameters:
    ///   - probes: of a `RecordingTrace`.
    ///   - last: earlier prints, and this one, are left out.
    init(of probes: [UInt32], after last: Int64, in database: Database) throws {
        // Numbers ascend, and the lowest are merged first.
        let gathered = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT MIN(print) FROM trackPrintsGathered"))
        if last + 1 < gathered ?? .max { try addMerged(probes, after: last, before: gathered ?? .max, in: database) }
        if gathered != nil { try addGathered(PrintProbes(probes), after: last, in: database) }
    }

    private mutating func addMerged(
        _ probes: [UInt32], after last: Int64, before end: Int64, in database: Database
    ) throws {
        // Most of some thousand probes nobody has: which are there at all is one question.
        let list = "[\(probes.map { "\($0)" }.joined(separator: ","))]"
        let known = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT value FROM json_each(?) AS probe
                    WHERE EXISTS (SELECT 1 FROM trackPrintKeys WHERE key = probe.value AND print > ? AND print < ?)
                    """), arguments: [list, last, end])
        guard !known.isEmpty else { return }
        let erased = try Int64.fetchSet(database.cachedStatement(sql: "SELECT print FROM trackPrintsErased"))
        let question = try database.cachedStatement(
            sql: """
                SELECT print FROM trackPrintKeys WHERE key = ? AND print > ? AND print < ?
                LIMIT \(PrintSearch.mostOwners + 1)
                """)
        for key in known.compactMap({ UInt32(exactly: $0) }) {
            owners[key] = try Int64.fetchAll(question, arguments: [Int64(key), last, end]).filter {
                !erased.contains($0)
            }
        }
    }

    private mutating func addGathered(_ probes: PrintProbes, after last: Int64, in database: Database) throws {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT print, keys FROM trackPrintsGathered WHERE print > ?"),
            arguments: [last])
        while let row = try rows.next() {
            let number: Int64 = row[0]
            try GatheredKeys.forEach(in: row, at: 1) { key in
                if probes.contains(key) { owners[key, default: []].append(number) }
            }
        }
    }
}
