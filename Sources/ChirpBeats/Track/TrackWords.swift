internal import ChirpBoards
internal import ChirpFiles

/// The words of the board by which tracks are found beside their texts: tempo, key, price and tags.
package enum TrackWords {
    /// Beats a minute that can be asked for: no range of them takes more than 38 words, and the index takes 40.
    package static let tempos = 40...240

    static func words(price: TrackPrice, tags: [String], facts: TrackFacts?) -> [String] {
        var words = [word(price.band)] + tags.map(word(tag:))
        if let tempo = facts?.tempo {
            // Whoever looks for 140 finds what may be 70 as well: nobody can tell for sure.
            for beats in [tempo.beats, tempo.other].compactMap({ $0 }) {
                guard let beats = whole(beats) else { continue }
                words += ["zrm\(beats)", "zrn\(beats / 10)"]
            }
        }
        if let key = facts?.key {
            words += [key.tonality, key.other].compactMap { $0 }.map(word)
        }
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    static func word(_ band: TrackPrice.Band) -> String { "zrp\(band.rawValue)" }
    static func word(_ key: Tonality) -> String { "zrk\(key.number)" }

    /// Tags are in all languages, and words of the index in letters and digits.
    static func word(tag: String) -> String { "zrt\(FileDigest.sha256(of: Array(tag.lowercased().utf8)).prefix(20))" }

    /// Words of which each track within a range of tempos has one, and no other: tens where all ten belong to it.
    package static func words(from: Int, to: Int) -> [String] {
        var (words, beats): ([String], Int) = ([], max(from, tempos.lowerBound))
        let end = min(to, tempos.upperBound)
        while beats <= end {
            if beats % 10 == 0, beats + 9 <= end {
                words.append("zrn\(beats / 10)")
                beats += 10
            } else {
                words.append("zrm\(beats)")
                beats += 1
            }
        }
        return words
    }

    private static func whole(_ beats: Double) -> Int? {
        guard beats.isFinite, (1...999).contains(beats) else { return nil }
        return Int(clamping: beats.rounded())
    }
}
