package import ChirpBoards
internal import ChirpCommunity
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB

/// What was found in a recording, and which others are of the same one, worked out before the transaction that writes it down: others wait
/// for that. Each of at most eight others is compared in 1 ms.
package struct TrackFindings: Sendable {
    /// The upload that was listened to.
    let master: HubID
    package let facts: TrackFacts
    /// Nil: there is too little to know it again by.
    let print: RecordingPrint?
    /// The numbers of the prints of the same recording, among those that were compared.
    package private(set) var same: [Int64] = []
    /// The highest number when they were compared; numbers are never used again, and what belongs to one never changes.
    private(set) var last: Int64 = 0

    /// Nil unless it is a track that was listened to.
    ///
    /// - Parameter earlier: what was found when it was compared before.
    init?(_ film: HubFilm, comparedBefore earlier: TrackComparison? = nil) {
        guard film.state == .ready, let kept = film.track else { return nil }
        if let earlier { (last, same) = (earlier.last, earlier.same) }
        master = film.id
        // What a later release has written says how long it is, at least.
        let read = try? JSONDecoder().decode(TrackFacts.self, from: Data(kept.findings.utf8))
        facts = (read ?? TrackFacts(milliseconds: film.facts?.milliseconds ?? 0)).bounded
        print = RecordingPrint(bytes: facts.print).flatMap { $0.words.isEmpty ? nil : $0 }
    }

    /// Prints that are worth comparing.
    struct Candidates: Sendable {
        fileprivate let prints: [(number: Int64, print: RecordingPrint)]
        fileprivate let last: Int64
    }

    /// Those that were not compared yet and share most with the probes; nil: nothing has come.
    func candidates(in database: Database) throws -> Candidates? {
        let last = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(number) FROM trackPrints")) ?? 0
        guard print != nil, last > self.last else { return nil }
        let row = try database.cachedStatement(
            sql: """
                SELECT tracks.print FROM trackPrints JOIN tracks ON tracks.item = trackPrints.item
                WHERE trackPrints.number = ?
                """)
        let owners = try KeyOwners(of: facts.probes, after: self.last, in: database).owners
        let numbers = PrintSearch.candidates(Array(owners.keys)) { owners[$0] ?? [] }
        return Candidates(
            prints: try numbers.compactMap { number in
                let bytes = try Data.fetchOne(row, arguments: [number])
                return bytes.flatMap { RecordingPrint(bytes: Array($0)) }.map { (number, $0) }
            }, last: last)
    }

    /// Notes which of them are of the same recording.
    mutating func compare(with candidates: Candidates?) {
        guard let print, let candidates else { return }
        same += candidates.prints.filter { PrintMatch(print, $0.print)?.isSame == true }.map(\.number)
        last = candidates.last
    }
}
