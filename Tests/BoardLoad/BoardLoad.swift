import ChirpBeats
import ChirpCommunity
import ChirpCore
import ChirpListings
import ChirpOrders
import ChirpRecords
import Foundation

/// Fills a hub's library with accounts, listings, marks and comments made from one number, for measuring: the same number gives the same data.
///
///     boardload FOLDER [items=1000000] [accounts=100000] [marks=5000000] [comments=1000000] [seed=1]
///         [places=cities15000.txt] [words=FILE] [pairs=0] [missed=0] [rules=0] [attempts=0] [votes=0] [measure=0]
///         [tracks=0] [likes=0]
///
/// Listings lie at towns of the list of places, as often as people live there, so that London, Shanghai and villages are all there. They are
/// written by the calls that the hub uses, many to a transaction; the index of words and the tallies of marks are made from all of them in
/// the end. Prints what it has made, and how long that took, as JSON.
///
/// With `pairs` so many things are listed as lost and as found, each side in words of its own (``Thing``), and every second one of the
/// other listings is one side of such a thing too. Then both sides are compared with all listings, as after placing them; what is
/// printed says how many have their partner among the first five, how long one takes, and how many notices came of it. On a library
/// that has all this already it measures again (`items=0 marks=0 comments=0`); `missed=1` prints those that were missed.
///
/// With `rules` so many challenges are set, with `attempts` at them and `votes` on them. Challenges are written by the calls that the hub
/// uses too. Attempts and votes are written as rows, and what follows from them, who holds what, sums, ranks and tallies, is made by the hub's
/// own code in the end. With `tracks` so many are offered, with the licences of their works, sales with both sides of the ledger, auctions with
/// bids, requests, and with `likes` of them. With `measure` every list of challenges and what their pages show is asked for so many times,
/// without the pages.
@main
enum BoardLoad {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let folder = words.first, let options = Options(words.dropFirst()) else {
            FileHandle.standardError.write(
                Data(
                    "usage: boardload FOLDER [items=N] [accounts=N] [marks=N] [comments=N] [seed=N] [places=FILE] [words=FILE] [pairs=N] [rules=N] [attempts=N] [votes=N] [measure=N] [tracks=N] [likes=N]\n"
                        .utf8))
            exit(64)
        }
        let moved = MovedClock()
        let library = try HubLibrary(
            folder: folder, now: { moved.now },
            boards: [Listings.tables, Records.tables, OrderTables.tables, Beats.tables])
        let clock = ContinuousClock()
        let towns = try Towns(path: options.places)
        let vocabulary = try Vocabulary(path: options.words)
        var report: [String: Double] = [:]
        let filler = Filler(library: library, towns: towns, vocabulary: vocabulary, options: options)
        let records = RecordFiller(
            library: library, clock: moved, towns: towns, vocabulary: vocabulary, options: options)
        let beats = BeatFiller(library: library, clock: moved, vocabulary: vocabulary, options: options)
        let votes = VoteFiller(library: library, clock: moved, options: options)
        let triggers = try await filler.prepare()
        let map = try await MapFiller(library: library)
        for (name, act) in [
            ("accounts", filler.addAccounts), ("items", filler.addListings), ("work", filler.forgetWork),
            ("rules", records.addRules), ("tracks", beats.addTracks),
            ("listed", map.list), ("words", { try await filler.index(by: triggers) }), ("marks", filler.addMarks),
            ("comments", filler.addComments), ("attempts", records.addAttempts), ("holds", records.addHolds),
            ("sales", beats.addSales), ("bids", beats.addAuctions), ("requests", beats.addRequests),
            (
                "votes",
                {
                    try await votes.add([
                        VoteFiller.Wish(board: Records.board, count: options.votes, isOfLikes: false),
                        VoteFiller.Wish(board: Beats.board, count: options.likes, isOfLikes: true),
                    ])
                }
            ),
        ] as [(String, @Sendable () async throws -> Int)] {
            var count = 0
            let time = try await clock.measure { count = try await act() }
            report[name] = Double(count)
            report["\(name)Seconds"] = time / .seconds(1)
        }
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        if options.measure > 0 {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let measurement = RecordMeasurement(library: library, towns: towns, options: options)
            print(String(decoding: try encoder.encode(try await measurement.measure()), as: UTF8.self))
        }
        guard options.pairs > 0 else { return }
        let pairs = try await filler.pairs.addPairs()
        let measurement = PairMeasurement(library: library, clock: moved, showsMissed: options.missed)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(try await measurement.measure(pairs)), as: UTF8.self))
    }
}

/// What the command line says.
struct Options: Sendable {
    var items = 1_000_000
    var accounts = 100_000
    var marks = 5_000_000
    var comments = 1_000_000
    var seed: UInt64 = 1
    var pairs = 0
    var missed = false
    var rules = 0
    var attempts = 0
    var votes = 0
    var measure = 0
    var tracks = 0
    var likes = 0
    var places = "/usr/share/libtimezonemap/ui/cities15000.txt"
    var words = "/usr/share/dict/words"

    /// Nil for what is no option.
    init?(_ words: ArraySlice<String>) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            let number = Int(parts[1]).flatMap { $0 >= 0 ? $0 : nil }
            switch parts[0] {
            case "items": guard let number else { return nil }; items = number
            case "accounts": guard let number, number > 0 else { return nil }; accounts = number
            case "marks": guard let number else { return nil }; marks = number
            case "comments": guard let number else { return nil }; comments = number
            case "seed": guard let number else { return nil }; seed = UInt64(number)
            case "pairs": guard let number else { return nil }; pairs = number
            case "rules": guard let number else { return nil }; rules = number
            case "attempts": guard let number else { return nil }; attempts = number
            case "votes": guard let number else { return nil }; votes = number
            case "measure": guard let number else { return nil }; measure = number
            case "tracks": guard let number else { return nil }; tracks = number
            case "likes": guard let number else { return nil }; likes = number
            case "missed": missed = number == 1
            case "places": places = parts[1]
            case "words": self.words = parts[1]
            default: return nil
            }
        }
    }
}
