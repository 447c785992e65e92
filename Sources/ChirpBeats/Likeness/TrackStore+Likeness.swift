internal import ChirpBoards
package import ChirpCommunity
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
        let found = try await tracks(best.map(\.id), for: viewer).filter {
            $0.item.state == .open && !$0.item.isHidden && $0.work != track.work
        }
        let author = track.item.author.id
        let others = found.filter { $0.item.author.id != author }.prefix(limit)
        var chosen = Array(others)
        if !chosen.isEmpty, let own = found.first(where: { $0.item.author.id == author }) {
            chosen = Array(chosen.prefix(limit - 1)) + [own]
        }
        return chosen.map { other in
            let further = near == nil ? [] : other.facts.map { TrackLikeness.reasons(facts, $0) } ?? []
            return LikeTrack(track: other, reasons: further + (reasons[other.id] ?? []))
        }
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
