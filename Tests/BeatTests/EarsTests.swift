import ChirpBeats
import ChirpMusic
import Foundation
import Testing

/// Honest ears: the same bar of another preview, as loud (boards.md 3.1, 5.2 point 7).
struct EarsTests {
    /// Beats that are not quite even, as people play.
    private static func beats(_ tempo: Double, from first: Double, seconds: Double) -> [Double] {
        (0..<Int((seconds - first) * tempo / 60)).map {
            first + Double($0) * 60 / tempo + 0.01 * sin(Double($0))
        }
    }

    @Test(arguments: [(120.0, 128.0, 60.0, 60.0), (90, 174, 40, 60), (140, 70, 61, 30), (100, 100, 30, 9)])
    func `the place in the bar is kept within 10 ms, all the way`(
        _ tempo: Double, _ other: Double, _ seconds: Double, _ length: Double
    ) throws {
        let own = Self.beats(tempo, from: 0.3, seconds: seconds)
        let theirs = Self.beats(other, from: 0.05, seconds: length)
        let map = EarsMap(of: own, seconds: seconds, to: theirs, length: length)
        let (here, there) = (try #require(BeatPlaces(beats: own)), try #require(BeatPlaces(beats: theirs)))
        for instant in stride(from: 0.35, to: seconds - 0.1, by: 0.173) {
            let found = map.counterpart(of: instant)
            #expect((0..<length).contains(found))
            let apart = (there.place(at: found) - here.place(at: instant)).remainder(dividingBy: 4)
            #expect(abs(apart) * there.interval < 0.010, "\(instant) s -> \(found) s")
        }
    }

    @Test func `the same bar is found where the other track has it`() throws {
        let own = Self.beats(120, from: 0.3, seconds: 60)
        let theirs = Self.beats(128, from: 0.05, seconds: 60)
        let map = EarsMap(of: own, seconds: 60, to: theirs, length: 60)
        let (here, there) = (try #require(BeatPlaces(beats: own)), try #require(BeatPlaces(beats: theirs)))
        for instant in stride(from: 0.35, to: 50, by: 0.31) {
            let right = try #require(here.counterpart(of: instant, in: there, length: 60))
            #expect(abs(map.counterpart(of: instant) - right) < 0.001)
        }
    }

    @Test(arguments: [[], [1.0], [2, 1]]) func `without beats it is the same second`(_ beats: [Double]) {
        let map = EarsMap(of: beats, seconds: 30, to: [0, 0.5, 1], length: 30)
        #expect(map.counterpart(of: 12.5) == 12.5)
    }

    @Test func `beats as near as numbers can be cost nothing`() {
        let near = (0..<1000).map { Double($0) * 1e-9 }
        #expect(EarsMap(of: near, seconds: 300, to: [0, 0.5, 1], length: 30).steps.count <= 20_001)
    }

    @Test func `both are as loud as the softer one`() {
        let gains = EarsMap.gains(-13.8, -14.2)
        #expect(gains.other == 1)
        #expect(abs(-13.8 + 20 * log10(gains.own) + 14.2) < 1e-9)
        #expect(EarsMap.gains(nil, -14) == (1, 1))
    }
}
