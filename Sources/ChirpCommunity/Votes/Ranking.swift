internal import Glibc

/// Where votes put an entry: a bound that knows how few have voted, which ages.
///
/// The bound is the lower one of Wilson's interval (E. B. Wilson, "Probable Inference", JASA 22, 1927, pages 209-212) of the share of ups, with
/// the one who has listed the entry as its first up: one that nobody has voted on begins at a half, and one down does not bury it.
///
/// The bound of an entry halves with each ``halfLife`` since it appeared. Of two entries that nobody votes on the first one stays the first,
/// since both age alike. So what is stored is the binary logarithm of a score as it would be in 1970: it changes by votes alone, and no sweep
/// is needed to let entries age.
package enum Ranking {
    /// Quantile of the normal distribution: the share is above the bound with a probability of 84 %.
    package static let quantile = 1.0
    /// In seconds.
    package static let halfLife = 7 * 24 * 3600.0
    /// An entry whose bound is lower is in no list by popularity, until its votes change. That takes six downs without an up, one more than
    /// a block of addresses has.
    package static let leastBound = 0.06
    /// An account that is younger does not count, in seconds.
    package static let patience = 24 * 3600.0
    /// The votes of a block of addresses count as so many at most, ups and downs in the proportion that they have there.
    package static let mostOfBlock = 5
    /// Votes are added up in thousandths, so that a vote that is taken back leaves nothing of itself.
    package static let unit = 1000

    /// Wilson's lower bound of the share of ups, from 0 to 1; 0 without votes.
    package static func lowerBound(ups: Double, of votes: Double) -> Double {
        guard votes > 0 else { return 0 }
        let square = quantile * quantile
        let spread = quantile * (ups * (votes - ups) / votes + square / 4).squareRoot()
        return max(0, (ups + square / 2 - spread) / (votes + square))
    }

    /// The bound of an entry.
    ///
    /// - Parameters:
    ///   - ups: as they count, in thousandths.
    ///   - downs: the same.
    package static func bound(ups: Int, downs: Int) -> Double {
        // Never below nothing, whatever a damaged table says.
        let (ups, downs) = (Double(max(0, ups)) / Double(unit) + 1, Double(max(0, downs)) / Double(unit))
        return lowerBound(ups: ups, of: ups + downs)
    }

    /// What entries are sorted by, the greatest first.
    ///
    /// - Parameter appeared: when, in ms.
    package static func rank(bound: Double, appeared: Int64) -> Double {
        Double(appeared) / (halfLife * 1000) + log2(max(bound, .leastNormalMagnitude))
    }

    /// The score at an instant: the bound as it has aged.
    ///
    /// - Parameter age: in seconds; below 0 where the clock was set back.
    package static func score(bound: Double, age: Double) -> Double { bound * exp2(-max(0, age) / halfLife) }

    /// What the votes of a block of addresses count for, in thousandths.
    package static func capped(ups: Int, downs: Int) -> (ups: Int, downs: Int) {
        let all = ups + downs
        guard all > mostOfBlock else { return (ups * unit, downs * unit) }
        let most = mostOfBlock * unit
        let part = (ups * most + all / 2) / all
        return (part, most - part)
    }
}
