/// Finding words that were typed with one error: a letter too many, one too few, a wrong one, or two that changed places.
///
/// Two words that differ by one error share a word that is made from each by leaving out at most one letter. An index of those finds every
/// candidate by as many look-ups as the word has letters, however common its letters are; trigrams find no short word.
enum Spelling {
    /// Only so many letters at a word's beginning are indexed; the rest is compared afterwards.
    private static let prefix = 9
    /// Words that are shorter have too many neighbours to tell anything.
    static let least = 3

    /// Buckets in the index.
    static let buckets = 1 << 16

    /// Hashes of what is left of a word when at most one letter is left out.
    static func marks(_ word: String) -> Set<UInt32> {
        let letters = Array(word.unicodeScalars.prefix(prefix).map(\.value))
        guard letters.count >= least else { return [] }
        var marks: Set<UInt32> = []
        // With the last letter of a long word left out, what comes behind moves up: the shorter beginnings of both are the same.
        for end in letters.count == prefix ? [prefix - 1, prefix] : [letters.count] {
            var before = start
            for index in 0..<end {
                // Without this letter.
                marks.insert(folded(letters[(index + 1)..<end].reduce(before, mixed)))
                before = mixed(before, letters[index])
            }
            marks.insert(folded(before))
        }
        return marks
    }

    /// FNV-1a (Fowler, Noll, Vo), by letters: what collides is told apart by ``distance(_:_:)``.
    private static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func mixed(_ hash: UInt64, _ letter: UInt32) -> UInt64 {
        (hash ^ UInt64(letter)) &* 0x100_0000_01b3
    }

    private static func folded(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

    /// How many errors lead from one word to another (optimal string alignment); nil when they are more than two.
    static func distance(_ first: [UInt32], _ second: [UInt32]) -> Int? {
        guard abs(first.count - second.count) <= 2 else { return nil }
        var (before, last) = ([Int](), Array(0...second.count))
        for i in first.indices {
            var row = [i + 1]
            row.reserveCapacity(second.count + 1)
            for j in second.indices {
                var least = min(last[j] + (first[i] == second[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                    least = min(least, before[j - 1] + 1)
                }
                row.append(least)
            }
            guard row.contains(where: { $0 <= 2 }) else { return nil }
            (before, last) = (last, row)
        }
        return last[second.count] <= 2 ? last[second.count] : nil
    }
}
