import ChirpMusic
import Testing

/// Going over to another track at the same place of a bar (boards.md 5.2, point 7).
struct BeatPlacesTests {
    private func places(_ first: Double, _ interval: Double, _ count: Int = 100) throws -> BeatPlaces {
        try #require(BeatPlaces(beats: (0..<count).map { first + interval * Double($0) }))
    }

    @Test func `times and places are each other's inverse, before and behind the beats too`() throws {
        let grid = try #require(BeatPlaces(beats: [1, 1.5, 2.1, 2.6]))
        #expect(grid.place(at: 1.5) == 1 && abs(grid.place(at: 1.8) - 1.5) < 1e-12)
        #expect(grid.place(at: 0) == -2 && abs(grid.seconds(at: 5) - 3.6) < 1e-9)
        for seconds in [-1.0, 0, 1, 1.2, 2.1, 2.35, 2.6, 9] {
            #expect(abs(grid.seconds(at: grid.place(at: seconds)) - seconds) < 1e-9)
        }
    }

    @Test(arguments: [(0.2, 0.5), (3.3, 0.5), (10.26, 0.6), (59.99, 0.35)])
    func `the other track goes on in the same bar`(now: Double, interval: Double) throws {
        let (here, there) = (try places(0.2, 0.5), try places(0.7, interval))
        let then = try #require(here.counterpart(of: now, in: there, length: 90))
        #expect(abs(there.place(at: then) - here.place(at: now)) < 1e-9)
    }

    @Test func `a shorter track is entered whole bars earlier, a later one whole bars later`() throws {
        let (here, there) = (try places(0, 0.5, 400), try places(0.1, 0.5, 40))
        let then = try #require(here.counterpart(of: 100.3, in: there, length: 20))
        let bars = (here.place(at: 100.3) - there.place(at: then)) / 4
        #expect(abs(bars - bars.rounded()) < 1e-9 && bars > 0)
        #expect((0...18).contains(then) && then > 15)
        // Before its first beat the other one has not begun yet.
        let early = try #require(try places(8, 0.5).counterpart(of: 0.1, in: there, length: 20))
        #expect((0...2).contains(early))
        #expect(here.counterpart(of: 3, in: there, length: 1) == nil)
        #expect(here.counterpart(of: .nan, in: there, length: 20) == nil)
    }

    @Test func `what are no beats is not counted`() {
        for wrong in [[], [1], [1, 1], [2, 1], [0, .infinity], [.nan, 1]] as [[Double]] {
            #expect(BeatPlaces(beats: wrong) == nil)
        }
    }
}
