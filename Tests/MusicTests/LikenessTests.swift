import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

struct LikenessTests {
    private func description(_ seed: UInt64, around centre: Float = 0, spread: Float = 1) throws -> SoundDescription {
        var random = SeededGenerator(seed: seed)
        return try #require(
            SoundDescription((0..<64).map { _ in centre + .random(in: -spread...spread, using: &random) }))
    }

    @Test func `statistics are the same however they came about`() throws {
        let all = try (0..<50).map { try description($0, around: Float($0 % 5)) }
        let whole = DescriptionStatistics(of: all)
        var changed = DescriptionStatistics(of: all + [try description(99, around: 30)])
        changed.remove(try description(99, around: 30))
        #expect(changed.count == 50 && whole.count == 50)
        for (a, b) in zip(whole.scaled(all[7]), changed.scaled(all[7])) { #expect(abs(a - b) < 1e-4) }
        let read = try JSONDecoder().decode(DescriptionStatistics.self, from: JSONEncoder().encode(whole))
        #expect(read == whole)
        changed = DescriptionStatistics(of: all.prefix(1))
        changed.remove(all[0])
        #expect(changed == DescriptionStatistics())
    }

    @Test func `statistics that cannot be are not read`() {
        for text in [#"{"count":1,"means":[1],"squares":[1]}"#, #"{"count":-1,"means":[],"squares":[]}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(DescriptionStatistics.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `a number of which all have the same says nothing, and a scale is no likeness`() throws {
        // The second number is a thousand times as wide as the others, and no more important.
        let all = try (0..<40).map { seed -> SoundDescription in
            var numbers = try description(UInt64(seed)).numbers
            (numbers[0], numbers[1]) = (7, numbers[1] * 1000)
            return try #require(SoundDescription(numbers))
        }
        let scaled = DescriptionStatistics(of: all).scaled(all[3])
        #expect(scaled[0] == 0 && abs(scaled[1]) < 0.6)
        #expect(abs(scaled.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        #expect(DescriptionStatistics().scaled(all[0]).allSatisfy { $0 == 0 })
    }

    @Test func `the nearest are those that a plain sort says`() throws {
        let entries = try (0..<300).map { (Int($0), try description($0, around: Float($0 % 3))) }
        let index = LikenessIndex(entries)
        let own = index.statistics.scaled(entries[12].1)
        let expected = entries.filter { $0.0 != 12 }
            .map { entry in (entry.0, zip(index.statistics.scaled(entry.1), own).reduce(Float(0)) { $0 + $1.0 * $1.1 })
            }
            .sorted { $0.1 > $1.1 }.prefix(10)
        let found = index.neighbours(of: 12, count: 10)
        #expect(found.map(\.id) == expected.map(\.0))
        #expect(zip(found, expected).allSatisfy { abs($0.likeness - Double($1.1)) < 1e-4 })
        #expect(index.neighbours(of: entries[12].1, count: 1).first?.id == 12)
        #expect(index.neighbours(of: 9999, count: 5).isEmpty && index.neighbours(of: 12, count: 0).isEmpty)
        #expect(index.neighbours(of: 12, count: 1000).count == 299)
    }

    @Test func `what is removed or changed is found no more, or as it is`() throws {
        let entries = try (0..<20).map { (Int($0), try description($0)) }
        var index = LikenessIndex(entries)
        index.remove(3)
        index.remove(19)
        index.remove(77)
        #expect(index.count == 18)
        #expect(Set(index.neighbours(of: 0, count: 30).map(\.id)) == Set(1..<19).subtracting([3]))
        index.set(entries[0].1, for: 5)
        #expect(index.neighbours(of: 0, count: 1).first?.id == 5 && index.count == 18)
        for id in 0..<20 { index.remove(id) }
        #expect(index.count == 0 && index.neighbours(of: entries[0].1, count: 3).isEmpty)
    }

    @Test func `reasons carry the figures of both`() {
        let one = SoundFigures(
            tempi: [140, 70], key: MusicalKey(tonic: 0, mode: .minor), density: 4, brightness: 400)
        let other = SoundFigures(
            tempi: [142, 71], key: MusicalKey(tonic: 3, mode: .major), density: 4.5, brightness: 440)
        #expect(
            LikenessReason.between(one, other) == [
                .sameTempo(140, 142),
                .relatedKey(MusicalKey(tonic: 0, mode: .minor), MusicalKey(tonic: 3, mode: .major), .relative),
                .asDense(4, 4.5), .asBright(400, 440),
            ])
    }

    @Test func `what differs is no reason`() {
        let one = SoundFigures(tempi: [140, 70], key: MusicalKey(tonic: 0, mode: .minor), density: 4, brightness: 400)
        func reasons(_ tempi: [Double], _ key: MusicalKey?, _ density: Double, _ brightness: Double) -> [LikenessReason]
        {
            LikenessReason.between(one, SoundFigures(tempi: tempi, key: key, density: density, brightness: brightness))
        }
        #expect(reasons([150, 75], MusicalKey(tonic: 6, mode: .major), 5, 500).isEmpty)
        #expect(reasons([], nil, 0, 0).isEmpty)
        #expect(reasons([70.5, 141], nil, 0, 0) == [.doubleTempo(140, 70.5)])
    }

    @Test func `the seller's other works come after those of others, each as near as before`() {
        let candidates = [("own", 1), ("other", 2), ("own", 3), ("third", 4), ("other", 5)]
        let ordered = LikenessOrder.othersFirst(candidates) { $0.0 == "own" }
        #expect(ordered.map(\.1) == [2, 4, 5, 1, 3])
        #expect(LikenessOrder.othersFirst([("own", 1)]) { $0.0 == "own" }.map(\.1) == [1])
    }
}
