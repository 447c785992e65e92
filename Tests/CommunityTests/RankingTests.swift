import ChirpCommunity
import Foundation
import Testing

/// The bound, its age, and the cap of a block, against calculations by other ways (boards.md 4.4).
@Suite struct RankingTests {
    /// The lower end of Wilson's interval as it is defined: the least share that is not farther from what was seen than so many standard
    /// deviations of its own, found by halving.
    private func least(_ ups: Double, of votes: Double) -> Double {
        let seen = ups / votes
        var (low, high) = (0.0, seen)
        for _ in 0..<200 {
            let share = (low + high) / 2
            let deviation = (share * (1 - share) / votes).squareRoot()
            if seen - share > Ranking.quantile * deviation { low = share } else { high = share }
        }
        return (low + high) / 2
    }

    @Test func `the bound is the least share that the votes do not contradict`() {
        for votes in 1...200 {
            for ups in 0...votes {
                let bound = Ranking.lowerBound(ups: Double(ups), of: Double(votes))
                #expect(abs(bound - least(Double(ups), of: Double(votes))) < 1e-9, "\(ups) of \(votes)")
                #expect(bound >= 0 && bound <= Double(ups) / Double(votes))
            }
        }
        for (ups, votes) in [(999_999.5, 1e6), (0.001, 5.0), (1e9, 1e9), (2.5, 2.5)] {
            #expect(abs(Ranking.lowerBound(ups: ups, of: votes) - least(ups, of: votes)) < 1e-9)
        }
        #expect(Ranking.lowerBound(ups: 0, of: 0) == 0)
    }

    @Test func `an up never lowers an entry and a down never raises it, and few know less than many`() {
        for ups in 0..<40 {
            for downs in 0..<40 {
                let bound = Ranking.bound(ups: ups * 1000, downs: downs * 1000)
                #expect(Ranking.bound(ups: ups * 1000 + 1, downs: downs * 1000) >= bound)
                #expect(Ranking.bound(ups: ups * 1000, downs: downs * 1000 + 1) < bound)
            }
        }
        #expect(Ranking.bound(ups: 0, downs: 0) == 0.5)
        #expect(Ranking.bound(ups: 90_000, downs: 10_000) > Ranking.bound(ups: 9_000, downs: 1_000))
    }

    @Test func `what disappears has six downs more than any block of addresses alone can give`() {
        func isSunk(_ ups: Int, _ downs: Int) -> Bool {
            Ranking.bound(ups: ups * 1000, downs: downs * 1000) < Ranking.leastBound
        }
        #expect(!isSunk(0, Ranking.mostOfBlock) && isSunk(0, Ranking.mostOfBlock + 1))
        #expect(!isSunk(3, 20) && isSunk(1, 20) && !isSunk(100, 1000))
    }

    @Test func `age halves a score, and leaves the order of two as it was`() {
        let (old, new) = (0.9, 0.5)
        for days in 0...30 {
            let appeared = Int64(days) * 86_400_000
            for now in stride(from: appeared, to: appeared + 100 * 86_400_000, by: 86_400_000 * 9) {
                let first = Ranking.score(bound: old, age: Double(now) / 1000)
                let second = Ranking.score(bound: new, age: Double(now - appeared) / 1000)
                let byRank = Ranking.rank(bound: old, appeared: 0) > Ranking.rank(bound: new, appeared: appeared)
                #expect((first > second) == byRank, "\(days) days")
            }
        }
        #expect(abs(Ranking.score(bound: 0.5, age: Ranking.halfLife) - 0.25) < 1e-12)
        #expect(Ranking.score(bound: 0.5, age: -10) == 0.5)
        #expect(Ranking.rank(bound: 0, appeared: 0).isFinite)
    }

    @Test func `the votes of a block count as five at most, in their proportion`() {
        for ups in 0...60 {
            for downs in 0...60 {
                let capped = Ranking.capped(ups: ups, downs: downs)
                let factor = min(1, 5 / Double(max(1, ups + downs))) * 1000
                #expect(abs(Double(capped.ups) - Double(ups) * factor) <= 0.5, "\(ups) \(downs)")
                #expect(abs(Double(capped.downs) - Double(downs) * factor) <= 0.5, "\(ups) \(downs)")
                #expect(capped.ups + capped.downs == 1000 * min(5, ups + downs))
            }
        }
    }
}
