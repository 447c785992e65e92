internal import ChirpAccounts
internal import ChirpBoards
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension TrackStore {
    /// So many of the newest ones are compared where there are too few for their descriptions to be.
    private static let mostCompared = 5000

    /// Tracks of the same kind that a viewer may hear in the shop, the most alike first; of the author's own at most one, and last (AR-10).
    ///
    /// - Parameter likeness: how tracks are compared while there are few; of many the nearest descriptions are looked for.
    package func like(
        _ track: Track, by likeness: TrackLikeness, for viewer: Viewer, limit: Int = 6
    ) async throws -> [LikeTrack] {
        guard let facts = track.facts else { return [] }
        let best: [(id: HubID, reasons: [TrackLikeness.Reason])]
        let near = try await shelf.neighbours(of: track.id, track.kind, facts.description, count: limit * 8)
        if let near {
            best = near.map { ($0.id, [.sound(name: .timbre, 100, ($0.likeness * 100).rounded())]) }
        } else {
            best = try await compared(track, facts, by: likeness, limit: limit * 8)
        }
        let reasons = Dictionary(best.map { ($0.id, $0.reasons) }) { first, _ in first }
        return try await shown(best.map(\.id), beside: track, for: viewer, limit: limit).map { other in
            let further = near == nil ? [] : other.facts.map { TrackLikeness.reasons(facts, $0) } ?? []
            return LikeTrack(track: other, reasons: further + (reasons[other.id] ?? []))
        }
    }

    /// Of the nearest the first that a viewer may hear. Which they are is decided before any is read as a whole: most are not shown.
    private func shown(
        _ ids: [HubID], beside track: Track, for viewer: Viewer, limit: Int
    ) async throws -> [Track] {
        try await library.reading { [library] database in
            let (works, author) = (try Self.works(of: ids, in: database), track.item.author.id)
            func first(_ most: Int, where isWanted: (AccountID) -> Bool) throws -> [Track] {
                var items: [Item] = []
                for id in ids where items.count < most {
                    guard let work = works[id], work.id != track.work.text, isWanted(work.author),
                        let item = try Items.item(
                            id, board: Beats.board, for: viewer, library: library, in: database),
                        item.state == .open, !item.isHidden
                    else { continue }
                    items.append(item)
                }
                return try Track.all(of: items, in: database)
            }
            let others = try first(limit) { $0 != author }
            guard !others.isEmpty, let own = try first(1, where: { $0 == author }).first else { return others }
            return others.prefix(limit - 1) + [own]
        }
    }

    private static func works(
        of ids: [HubID], in database: Database
    ) throws -> [HubID: (id: String, author: AccountID)] {
        let list = String(decoding: try JSONEncoder().encode(ids.map(\.text)), as: UTF8.self)
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT tracks.item, works.id, works.author FROM json_each(?) AS list
                    CROSS JOIN tracks ON tracks.item = list.value CROSS JOIN works ON works.id = tracks.work
                    """), arguments: [list])
        var works: [HubID: (id: String, author: AccountID)] = [:]
        for row in rows { if let id = HubID(row["item"] as String) { works[id] = (row["id"], row["author"]) } }
        return works
    }

    private func compared(
        _ track: Track, _ facts: TrackFacts, by likeness: TrackLikeness, limit: Int
    ) async throws -> [(id: HubID, reasons: [TrackLikeness.Reason])] {
        let scored = try await library.reading { database in
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT item, milliseconds, loudness, peak, previewLoudness, tempo, tempoOther, tempoConfidence,
                            key, keyOther, keyConfidence, density, brightness, description, NULL AS print,
                            NULL AS beats
                        FROM tracks WHERE kind = ? AND state = 'ready' AND work <> ?
                        ORDER BY rowid DESC LIMIT \(Self.mostCompared)
                        """), arguments: [track.kind.rawValue, track.work.text])
            var scored: [(id: HubID, score: Double, reasons: [TrackLikeness.Reason])] = []
            while let row = try rows.next() {
                guard let id = HubID(row["item"] as String), let other = TrackFacts(row),
                    let found = likeness.compare(facts, other)
                else { continue }
                scored.append((id, found.score, found.reasons))
            }
            return scored
        }
        return scored.sorted { ($0.score, $0.id.text) > ($1.score, $1.id.text) }.prefix(limit)
            .map { ($0.id, $0.reasons) }
    }
}
