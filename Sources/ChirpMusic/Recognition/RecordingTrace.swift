/// What one recording leaves behind: its print, to be kept, and what an index is asked with.
package struct RecordingTrace: Hashable, Sendable, Codable {
    package let print: RecordingPrint
    /// Each once, ascending: see ``PrintKey``.
    package let probes: [UInt32]

    /// - Parameter samples: one channel at ``RecordingPrint/rate``; what is behind ``RecordingPrint/longest`` is not looked at.
    package init(of samples: borrowing Span<Float>) throws(RecordingPrint.Refusal) {
        let rate = Double(RecordingPrint.rate)
        guard Double(samples.count) >= RecordingPrint.shortest * rate else {
            throw .tooShort(seconds: RecordingPrint.shortest - Double(samples.count) / rate)
        }
        let found = PrintWords(of: samples.extracting(first: Int(RecordingPrint.longest * rate)))
        guard found.words.contains(where: { $0 != 0 }) else { throw .silent }
        print = RecordingPrint(words: stride(from: 0, to: found.words.count, by: 2).map { found.words[$0] })
        probes = PrintKey.probes(found)
    }

    /// Whether one could have been made of a recording so long: another process is not believed.
    package func isPossible(for seconds: Double) -> Bool {
        print.isPossible(for: seconds) && probes.count <= PrintKey.mostProbes && probes.allSatisfy(PrintKey.isKey)
            && zip(probes, probes.dropFirst()).allSatisfy { $0 < $1 }
    }
}

/// The words of a print by which it is found among many without comparing it with all: one of eight, chosen by what they are and not by where they
/// stand, so that they are the same ones of a recording that was cut.
///
/// A table needs one row for each key of each print, with the key first; it is asked for the prints that have the most of a trace's probes. Probes
/// are the keys among twice as many words as a print has, and among what these would be if any of their three weakest answers were another one.
package enum PrintKey {
    static let mostProbes = 2 * (Int(RecordingPrint.longest / RecordingPrint.step) + 1) * (1 << PrintWords.weakest)

    /// One word of eight; never that of silence.
    static func isKey(_ word: UInt32) -> Bool { word != 0 && (word &* 0x9E37_79B1) >> 29 == 0 }

    static func probes(_ found: PrintWords) -> [UInt32] {
        var keys: Set<UInt32> = []
        for (word, weak) in zip(found.words, found.weak) where word != 0 {
            // All subsets of the weak answers.
            var change: UInt32 = 0
            repeat {
                if isKey(word ^ change) { keys.insert(word ^ change) }
                change = (change &- weak) & weak
            } while change != 0
        }
        return keys.sorted()
    }
}

extension RecordingPrint {
    /// What a table keeps of it beside its bytes: each key once, ascending; some 180 for three minutes.
    package var keys: [UInt32] { Set(words.lazy.filter(PrintKey.isKey)).sorted() }
}
