import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

/// The same recording is known again, another one is not (boards.md 5.2, point 9).
struct RecordingPrintTests {
    private func trace(_ samples: [Float]) throws -> RecordingTrace { try RecordingTrace(of: samples.span) }

    /// What a poor coding does: hiss 20 dB below the music, and less of it.
    private func worse(_ samples: [Float], gain: Float, seed: UInt64 = 5) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return samples.map { gain * ($0 + .random(in: -0.02...0.02, using: &random)) }
    }

    @Test(arguments: [0.0, 0.031, 0.3, 3.7])
    func `a recording that was cut, made quieter and worse is the same`(cut: Double) throws {
        let song = MadeSong.samples(seed: 1, seconds: 20)
        let copy = worse(Array(song.dropFirst(Int(cut * 11_025)).dropLast(11_025)), gain: 0.5)
        let (kept, found) = (try trace(song), try trace(copy))
        let match = try #require(PrintMatch(kept.print, found.print))
        #expect(match.isSame && match.errorRate < 0.2, "\(match)")
        #expect(abs(match.offset - cut) <= RecordingPrint.step, "\(match)")
        #expect(Set(kept.print.keys).intersection(found.probes).count >= 2)
    }

    @Test func `a gain changes nothing`() throws {
        let song = MadeSong.samples(seed: 2, seconds: 6)
        // A power of two rounds nothing.
        #expect(try trace(song) == trace(song.map { $0 / 4 }))
    }

    @Test func `another recording is another one`() throws {
        let prints = try (1...6).map { try trace(MadeSong.samples(seed: UInt64($0), seconds: 10)).print }
        for one in prints.indices {
            for other in 0..<one {
                let match = try #require(PrintMatch(prints[one], prints[other]))
                #expect(!match.isSame && match.errorRate > 0.3, "\(one), \(other): \(match)")
            }
        }
    }

    @Test func `what is too short or silent has no print and says why`() throws {
        let song = MadeSong.samples(seed: 3, seconds: 3.5)
        #expect(throws: RecordingPrint.Refusal.tooShort(seconds: 1)) {
            try trace(Array(song.prefix(2 * RecordingPrint.rate)))
        }
        #expect(throws: RecordingPrint.Refusal.tooShort(seconds: 3)) { try trace([]) }
        #expect(throws: RecordingPrint.Refusal.silent) { try trace([Float](repeating: 0, count: 44_100)) }
        #expect(throws: RecordingPrint.Refusal.silent) { try trace([Float](repeating: .nan, count: 44_100)) }
        let short = try trace(Array(song.prefix(3 * RecordingPrint.rate))).print
        #expect(try #require(PrintMatch(short, try trace(song).print)).isSame)
    }

    @Test func `silence in two recordings makes them no more alike`() throws {
        func print(_ seed: UInt64) throws -> RecordingPrint {
            let song = MadeSong.samples(seed: seed, seconds: 5)
            return try trace(song + [Float](repeating: 0, count: 30 * RecordingPrint.rate) + song.prefix(100)).print
        }
        let (one, other) = (try print(1), try print(2))
        #expect(one.words.contains(0))
        #expect(PrintMatch(one, other)?.isSame != true)
        #expect(PrintMatch(RecordingPrint(words: []), one) == nil)
    }

    @Test func `prints fit where the fewest answers differ, counted one by one`() throws {
        var random = SeededGenerator(seed: 11)
        func words(_ count: Int) -> [UInt32] {
            (0..<count).map { $0 % 7 == 3 ? 0 : UInt32.random(in: 1...UInt32.max, using: &random) }
        }
        for (count, other) in [(40, 40), (61, 33), (9, 50)] {
            let (left, right) = (words(count), words(other))
            let least = max(8, min(count, other) / 2)
            var best = Double.infinity
            for place in least - other...count - least {
                let pairs = (0..<count).filter { right.indices.contains($0 - place) }
                    .map { (left[$0], right[$0 - place]) }.filter { $0 != 0 && $1 != 0 }
                guard pairs.count >= least else { continue }
                let differing = pairs.map { ($0 ^ $1).nonzeroBitCount }.reduce(0, +)
                best = min(best, Double(differing) / Double(32 * pairs.count))
            }
            let match = PrintMatch(RecordingPrint(words: left), RecordingPrint(words: right))
            #expect(match?.errorRate ?? .infinity == best, "\(count) and \(other)")
        }
    }

    @Test func `a print comes back from its bytes, and others are refused`() throws {
        let print = RecordingPrint(words: [0, 1, 0x8000_0000, 0xDEAD_BEEF])
        #expect(print.bytes.count == 17 && RecordingPrint(bytes: print.bytes) == print)
        for wrong in [[], [2, 0, 0, 0, 0], [1, 0, 0, 0], [1] + [UInt8](repeating: 7, count: 80_000)] as [[UInt8]] {
            #expect(RecordingPrint(bytes: wrong) == nil)
        }
    }

    @Test func `a trace that cannot be is not believed`() throws {
        let trace = try trace(MadeSong.samples(seed: 4, seconds: 8))
        #expect(trace.isPossible(for: 8) && !trace.isPossible(for: 3))
        let json = String(decoding: try JSONEncoder().encode(trace), as: UTF8.self)
        let wrong = json.replacingOccurrences(of: "\"probes\":[", with: "\"probes\":[1,")
        #expect(try !JSONDecoder().decode(RecordingTrace.self, from: Data(wrong.utf8)).isPossible(for: 8))
    }

    @Test func `the index finds the one among many and no other first`() throws {
        let songs = try (1...40).map { try trace(MadeSong.samples(seed: UInt64($0), seconds: 12)).print }
        let index = PrintIndex(songs)
        for number in [0, 17, 39] {
            let song = MadeSong.samples(seed: UInt64(number + 1), seconds: 12)
            let probes = try trace(worse(Array(song.dropFirst(5000)), gain: 0.3)).probes
            #expect(index.candidates(probes).first == number)
        }
        #expect(index.candidates([]).isEmpty && PrintIndex([RecordingPrint]()).candidates([1, 2]).isEmpty)
    }
}
