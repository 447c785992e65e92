package import ChirpCommunity
internal import ChirpCore
internal import GRDB

/// Brings gathered keys into the table that has them in their order, and takes those of erased prints out of it: one pass from the lowest key to the
/// highest, in transactions that are so short that whoever writes meanwhile does not notice.
///
/// The keys of one track lie in as many pages of that table; of some thousand tracks a dozen lie in each, and are written with it at once. That is
/// why they are gathered first, and why a pass waits until there are many.
///
/// A process that dies leaves what it has done, and the next pass begins anew: keys that are there already change nothing. Until the last
/// slice, ``KeyOwners`` reads gathered rows alone; then they go, the lowest first.
package struct PrintMerge: Sendable {
    /// How much is gathered, and how much is done at once.
    package struct Limits: Sendable {
        /// So many prints are gathered before they are merged. Each lookup reads them all: 600 bytes each.
        package var gathered = 4096
        /// Keys of the table that one slice passes: some 60 pages.
        package var passed = 16_000
        /// Keys that one slice adds; more only if one key is that of more prints.
        package var added = 1000
        /// Gathered rows that are removed at once.
        package var removed = 200

        package init() {}
    }

    private struct Key: Sendable {
        let key: UInt32
        let print: Int64
    }

    private let library: HubLibrary
    private let limits: Limits
    /// The highest gathered print of this pass; nil: none are merged.
    private let last: Int64?
    /// The last of ``erased`` that this pass takes out; nil: none.
    private let erased: Int64?
    /// Ascending by key.
    private let keys: [Key]
    /// How many of the keys were done.
    private var place = 0
    /// The lowest key that was not done; nil: all were.
    private var next: Int64? = 0

    /// Nil unless enough is gathered, or something was erased.
    package init?(_ library: HubLibrary, limits: Limits = Limits()) async throws {
        let due = try await library.reading { database in
            let erased = try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM trackPrintsErased")
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM trackPrintsGathered") ?? 0
            guard count >= max(limits.gathered, 1) else { return (erased, Int64?.none, keys: [Key]()) }
            var (last, keys): (Int64?, [Key]) = (nil, [])
            let rows = try Row.fetchCursor(database, sql: "SELECT print, keys FROM trackPrintsGathered ORDER BY print")
            while let row = try rows.next() {
                let number: Int64 = row[0]
                last = number
                try GatheredKeys.forEach(in: row, at: 1) { keys.append(Key(key: $0, print: number)) }
            }
            return (erased, last, keys)
        }
        (erased, last) = (due.0, due.1)
        guard erased != nil || last != nil else { return nil }
        (self.library, self.limits) = (library, limits)
        keys = await offPool { due.keys.sorted { ($0.key, $0.print) < ($1.key, $1.print) } }
    }

    /// Does a little of it: at most one transaction.
    ///
    /// - Returns: false when there is no more.
    package mutating func step() async throws -> Bool {
        guard let begin = next else { return try await removeRows() }
        let (end, hasErased) = try await slice(from: begin)
        var part = keys[place...]
        if let end { part = part.prefix { $0.key < end } }
        if hasErased || !part.isEmpty { try await write(part, from: begin, to: end, hasErased: hasErased) }
        (place, next) = (part.endIndex, end)
        return true
    }

    /// Where a slice ends, nil: with the last key; and whether it has keys of erased prints. Its pages are read here, so that nobody waits for the disk
    /// within the transaction.
    private func slice(from begin: Int64) async throws -> (end: Int64?, hasErased: Bool) {
        let added = keys.dropFirst(place + limits.added).first.map { Int64($0.key) }
        return try await library.reading { [limits, erased] database in
            let passed = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT key FROM trackPrintKeys WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?"),
                arguments: [begin, limits.passed])
            let end = [passed, added].compactMap { $0 }.min().map { max($0, begin + 1) }
            guard let erased else { return (end, false) }
            let found = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM trackPrintKeys WHERE key >= ? AND key < ?
                            AND print IN (SELECT print FROM trackPrintsErased WHERE sequence <= ?))
                        """), arguments: [begin, end ?? .max, erased])
            return (end, found ?? false)
        }
    }

    private func write(_ part: ArraySlice<Key>, from begin: Int64, to end: Int64?, hasErased: Bool) async throws {
        try await library.transact { [erased] database in
            if hasErased {
                try database.cachedStatement(
                    sql: """
                        DELETE FROM trackPrintKeys WHERE key >= ? AND key < ?
                        AND print IN (SELECT print FROM trackPrintsErased WHERE sequence <= ?)
                        """
                ).execute(arguments: [begin, end ?? .max, erased])
            }
            // One that was erased meanwhile is gathered no more.
            let insertion = try database.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO trackPrintKeys (key, print)
                    SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM trackPrintsGathered WHERE print = ?2)
                    """)
            for key in part { try insertion.execute(arguments: [Int64(key.key), key.print]) }
        }
    }

    /// Removes the rows of what has been done: false when there are no more.
    private func removeRows() async throws -> Bool {
        try await library.transact { [limits, last, erased] database in
            try database.cachedStatement(
                sql: """
                    DELETE FROM trackPrintsGathered WHERE print IN (
                        SELECT print FROM trackPrintsGathered WHERE print <= ? ORDER BY print LIMIT ?)
                    """
            ).execute(arguments: [last ?? 0, limits.removed])
            if database.changesCount > 0 { return true }
            try database.cachedStatement(
                sql: """
                    DELETE FROM trackPrintsErased WHERE sequence IN (
                        SELECT sequence FROM trackPrintsErased WHERE sequence <= ? LIMIT ?)
                    """
            ).execute(arguments: [erased ?? 0, limits.removed])
            return database.changesCount > 0
        }
    }
}
