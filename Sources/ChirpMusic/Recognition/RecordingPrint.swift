/// By what a recording is known again after it was coded anew, cut or made quieter: 32 yes or no answers for each eighth of a second.
///
/// Each answer says whether, between two neighbouring bands of frequencies, the lower one has gained on the upper one within three quarters of a
/// second. The idea is that of Haitsma and Kalker (ISMIR 2002); bands, window and distances are our own, chosen by measuring. Neither a gain nor a
/// coding changes many answers; a change of speed does, so that the same recording played 2 % faster is another one.
package struct RecordingPrint: Hashable, Sendable, Codable {
    /// The samples a second that it is made of; one channel.
    package static let rate = 11_025
    /// In seconds: of less there is no print, and what is behind the longest is not looked at.
    package static let shortest = 3.0
    package static let longest = 600.0
    /// Seconds from one word to the next.
    package static let step = 2 * PrintWords.step

    /// Why there is none.
    package enum Refusal: Error, Hashable, Sendable, Codable {
        /// It is too short, by so many seconds.
        case tooShort(seconds: Double)
        /// There is next to nothing to hear in it.
        case silent
    }

    /// One for each step; 0 where there is nothing to hear.
    package let words: [UInt32]

    /// For tables; the samples' way is ``RecordingTrace``.
    package init(words: [UInt32]) { self.words = words }

    /// How long what it describes is, in seconds.
    package var seconds: Double { Double(words.count) * Self.step }
}

extension RecordingPrint {
    /// The first byte of a print in a table: of another way to make prints it would be another one.
    private static let version: UInt8 = 1
    private static let mostWords = Int(longest / step) + 1

    /// For a table: at most 19,204 bytes.
    package var bytes: [UInt8] {
        words.reduce(into: [Self.version]) { bytes, word in
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }

    /// Nil for what no print of this version is.
    package init?(bytes: [UInt8]) {
        guard bytes.first == Self.version, bytes.count % 4 == 1, bytes.count / 4 <= Self.mostWords else { return nil }
        words = (0..<bytes.count / 4).map { index in
            (1...4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[4 * index + $1]) }
        }
    }

    /// Whether one could have been made of a recording so long: another process is not believed.
    package func isPossible(for seconds: Double) -> Bool {
        !words.isEmpty && words.count <= Self.mostWords && self.seconds <= seconds + Self.step
    }
}
