import ChirpCommunity
import ChirpListings
import Foundation
import GRDB
import Synchronization

/// A clock that is moved by hand, so that notices of several days come in minutes.
final class MovedClock: Sendable {
    private let moved = Mutex(0.0)

    var now: Date { Date().addingTimeInterval(moved.withLock { $0 }) }
    func wait(_ seconds: Double) { moved.withLock { $0 += seconds } }
}

/// Compares both listings of every pair with all others as a hub does, and looks where the partners are.
struct PairMeasurement {
    let library: HubLibrary
    let clock: MovedClock
    /// Prints the listings whose partner is not among the first five.
    let showsMissed: Bool

    /// What came out, times in milliseconds.
    struct Report: Encodable {
        var listings = 0
        /// Shares of the listings whose partner is the first, among the first five, among all that is kept.
        var first = 0.0
        var firstFive = 0.0
        var kept = 0.0
        /// Shares among the first five of those in one language, and of one side.
        var parts: [String: Double] = [:]
        /// How many are suggested for one listing, at most ten of which it has found itself.
        var suggestions = 0.0
        var compareP50 = 0.0
        var compareP95 = 0.0
        var compareMost = 0.0
        /// The same in time of the processor, which other programs on the machine do not lengthen.
        var processorP50 = 0.0
        var processorP95 = 0.0
        /// To tell people of what came of one listing.
        var tellP50 = 0.0
        var tellP95 = 0.0
        /// Notices of all people, the most that one person got within 24 hours, and how many lead to a page that names the partner.
        var notices = 0
        var mostNoticesInADay = 0
        var rightNotices = 0
    }

    /// Days over which the listings come.
    private static let days = 4

    func measure(_ pairs: [PairFiller.Pair]) async throws -> Report {
        let (store, listings) = (MatchStore(library: library), ListingStore(library: library))
        try await library.transact { database in
            try database.execute(
                sql: """
                    DELETE FROM matches; DELETE FROM matchesTold; DELETE FROM listingWork;
                    DELETE FROM notices WHERE kind = 'match';
                    """)
        }
        var (compared, told, busy) = ([Double](), [Double](), [Double]())
        let watch = ContinuousClock()
        for (number, pair) in pairs.enumerated() {
            for id in [pair.lost, pair.found] {
                guard case .listing(let listing)? = try await listings.listing(id, for: .visitor) else { continue }
                let before = Self.processorTime
                compared.append(try await watch.measure { try await store.compare(listing) } / .milliseconds(1))
                busy.append(Self.processorTime - before)
                told.append(try await watch.measure { try await store.tell() } / .milliseconds(1))
            }
            if (number + 1).isMultiple(of: max(1, pairs.count / Self.days)) { clock.wait(86_400) }
        }
        for _ in 0..<2 {
            clock.wait(86_400)
            try await store.tell()
        }
        var report = try await ranks(pairs)
        (compared, told, busy) = (compared.sorted(), told.sorted(), busy.sorted())
        report.compareP50 = Self.at(0.5, of: compared)
        report.compareP95 = Self.at(0.95, of: compared)
        report.compareMost = compared.last ?? 0
        report.processorP50 = Self.at(0.5, of: busy)
        report.processorP95 = Self.at(0.95, of: busy)
        report.tellP50 = Self.at(0.5, of: told)
        report.tellP95 = Self.at(0.95, of: told)
        try await count(pairs, &report)
        return report
    }

    /// Where each listing's partner is among what its author is shown.
    private func ranks(_ pairs: [PairFiller.Pair]) async throws -> Report {
        let (store, listings) = (MatchStore(library: library), ListingStore(library: library))
        var report = Report()
        var parts: [String: (all: Int, hits: Int)] = [:]
        var (first, five, kept, suggestions) = (0, 0, 0, 0)
        for pair in pairs {
            for (side, id, other) in [("lost", pair.lost, pair.found), ("found", pair.found, pair.lost)] {
                guard case .listing(let listing)? = try await listings.listing(id, for: .visitor) else { continue }
                let matches = try await store.matches(of: listing, limit: 100)
                let place = matches.firstIndex { $0.other.id == other }
                report.listings += 1
                suggestions += matches.count
                if place != nil { kept += 1 }
                if place == 0 { first += 1 }
                if let place, place < 5 { five += 1 }
                for part in [side, pair.language] {
                    parts[part, default: (0, 0)].all += 1
                    if let place, place < 5 { parts[part, default: (0, 0)].hits += 1 }
                }
                if showsMissed, place.map({ $0 >= 5 }) ?? true { try await show(listing, other, matches) }
            }
        }
        let all = Double(max(1, report.listings))
        report.first = Double(first) / all
        report.firstFive = Double(five) / all
        report.kept = Double(kept) / all
        report.suggestions = Double(suggestions) / all
        report.parts = parts.mapValues { Double($0.hits) / Double($0.all) }
        return report
    }

    private func show(_ listing: Listing, _ other: HubID, _ matches: [Match]) async throws {
        let partner = try await ListingStore(library: library).listings([other], for: .visitor)
        func line(_ name: String, _ listing: Listing) -> String {
            "  \(name) [\(listing.item.category)] \(listing.item.title) / \(listing.item.text)\n"
        }
        var text = "\(listing.item.place?.name ?? "")\n\(line("its", listing))"
        for listing in partner { text += line("not", listing) }
        for match in matches.prefix(3) { text += line("\((match.score * 100).rounded() / 100)", match.other) }
        FileHandle.standardError.write(Data(text.utf8))
    }

    private func count(_ pairs: [PairFiller.Pair], _ report: inout Report) async throws {
        let partners = Dictionary(
            pairs.flatMap { [($0.lost.text, $0.found.text), ($0.found.text, $0.lost.text)] }
        ) { first, _ in first }
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT notices.account, notices.created, items.id FROM notices
                    JOIN items ON items.id = notices.item WHERE notices.kind = 'match' ORDER BY notices.account, notices.created
                    """
            ).map { row -> (account: String, at: Int64, item: String) in (row[0], row[1], row[2]) }
        }
        report.notices = rows.count
        for (index, row) in rows.enumerated() {
            let within = rows[index...].prefix { $0.account == row.account && $0.at < row.at + 86_400_000 }.count
            report.mostNoticesInADay = max(report.mostNoticesInADay, within)
            guard let partner = partners[row.item] else { continue }
            let isThere = try await library.reading { database in
                try Bool.fetchOne(
                    database,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM matches WHERE lost = ? AND found = ? OR lost = ? AND found = ?)
                        """, arguments: [row.item, partner, partner, row.item]) ?? false
            }
            if isThere { report.rightNotices += 1 }
        }
    }

    /// In ms: of this process, in all threads.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func at(_ share: Double, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
