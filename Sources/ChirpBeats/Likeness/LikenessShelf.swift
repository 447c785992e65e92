internal import ChirpBoards
package import ChirpCommunity
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB

/// The descriptions of the tracks in the shop, in memory: brought up to the tables before each question, so a restart makes it anew, and what appears
/// or goes does so here.
///
/// 300 bytes for each track, of at most ``mostKept``.
package actor LikenessShelf {
    /// Of more tracks the newest are compared.
    static let mostKept = 100_000
    /// Of fewer tracks of a kind nobody can say what is usual, so that their descriptions are compared with none.
    package static let enough = 30

    private let library: HubLibrary
    private var shelves: [Track.Kind: Shelf] = [:]
    /// How far `trackChanges` was read.
    private var sequence: Int64 = 0
    private var running: Task<Void, any Error>?

    /// The tracks of one kind.
    private struct Shelf {
        var index: LikenessIndex<HubID>
        /// How many there were when it was scaled.
        let made: Int

        /// What is usual is another thing by now.
        var isOld: Bool { abs(index.count - made) > max(10, made / 4) }
    }

    private struct Change: Sendable {
        let sequence: Int64
        let item: HubID
        let kind: Track.Kind
        /// Nil: it is not in the shop, or too short to be described.
        let description: SoundDescription?
    }

    package init(library: HubLibrary) { self.library = library }

    /// The tracks that sound most like one, itself left out: how much each does, 0 to 1.
    ///
    /// - Returns: nil when there are too few to compare it with, or it has no description.
    package func neighbours(
        of id: HubID, _ kind: Track.Kind, _ numbers: [Float], count: Int
    ) async throws -> [(id: HubID, likeness: Double)]? {
        guard let description = SoundDescription(numbers) else { return nil }
        try await refresh()
        guard let shelf = shelves[kind], shelf.index.count >= Self.enough else { return nil }
        return shelf.index.neighbours(of: description, count: count + 1).filter { $0.id != id && $0.likeness > 0 }
            .prefix(count).map { ($0.id, $0.likeness) }
    }

    /// One at a time; whoever comes meanwhile waits for that one.
    private func refresh() async throws {
        if let running { return try await running.value }
        let task = Task { try await read() }
        running = task
        defer { running = nil }
        try await task.value
    }

    private func read() async throws {
        if sequence > 0 {
            let changes = try await changes(after: sequence)
            for change in changes {
                for kind in Track.Kind.allCases where kind != change.kind || change.description == nil {
                    shelves[kind]?.index.remove(change.item)
                }
                if let description = change.description {
                    shelves[change.kind]?.index.set(description, for: change.item)
                }
                sequence = change.sequence
            }
            // Where there was nothing yet, or much has come, it is made as a whole.
            let isMissing = changes.contains { $0.description != nil && shelves[$0.kind] == nil }
            let isFull = shelves.values.contains { $0.index.count > Self.mostKept + Self.mostKept / 10 }
            guard isMissing || isFull || shelves.values.contains(where: \.isOld) || changes.count == Self.mostChanges
            else { return }
        }
        try await make()
    }

    private func make() async throws {
        var entries: [Track.Kind: [(HubID, SoundDescription)]] = [:]
        var last = try await library.reading { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT COALESCE(MIN(sequence), 1) - 1 FROM
                    (SELECT sequence FROM trackChanges ORDER BY sequence DESC LIMIT \(Self.mostKept))
                    """) ?? 0
        }
        while true {
            let changes = try await changes(after: last)
            for change in changes {
                if let description = change.description {
                    entries[change.kind, default: []].append((change.item, description))
                }
                last = change.sequence
            }
            guard changes.count == Self.mostChanges else { break }
        }
        shelves = entries.mapValues { Shelf(index: LikenessIndex($0), made: $0.count) }
        sequence = last
    }

    private static let mostChanges = 5000

    private func changes(after sequence: Int64) async throws -> [Change] {
        try await library.reading { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT trackChanges.sequence, tracks.item, tracks.kind,
                            iif(tracks.state = 'ready' AND items.listed, tracks.description, NULL) AS description
                        FROM trackChanges JOIN tracks ON tracks.item = trackChanges.item
                        JOIN items ON items.id = tracks.item
                        WHERE trackChanges.sequence > ? ORDER BY trackChanges.sequence LIMIT \(Self.mostChanges)
                        """), arguments: [sequence])
            var changes: [Change] = []
            while let row = try rows.next() {
                guard let item = HubID(row["item"] as String), let kind = Track.Kind(rawValue: row["kind"]) else {
                    continue
                }
                changes.append(
                    Change(
                        sequence: row["sequence"], item: item, kind: kind,
                        description: SoundDescription(TrackFacts.floats(row["description"]))))
            }
            return changes
        }
    }
}
