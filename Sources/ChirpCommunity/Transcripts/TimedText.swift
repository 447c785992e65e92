internal import ChirpCore

/// Words with their times, as WebVTT has them (w3.org/TR/webvtt1, section 4). What is read is times and words alone: settings, styles,
/// notes and tags are left out, so what is written is small, plain, and the same wherever it came from.
package struct TimedText: Hashable {
    struct Cue: Hashable {
        /// In seconds from the beginning of the clip, 0 or more.
        let start: Double
        /// Behind the start.
        let end: Double
        /// One line, plain.
        let words: String
    }

    let cues: [Cue]

    static let mostCues = 5000
    private static let mostWords = 2000

    /// Whether a text means to be WebVTT.
    static func begins(_ text: String) -> Bool { withoutMark(text).hasPrefix("WEBVTT") }

    /// Nil for what is none, has no cue, or more than are kept.
    package init?(_ text: String) {
        guard Self.begins(text) else { return nil }
        var cues: [Cue] = []
        var open: (start: Double, end: Double, words: [Substring])?
        func close() {
            guard let cue = open else { return }
            let words = PlainText(Self.plain(cue.words.joined(separator: " ")), limit: Self.mostWords).value
            if !words.isEmpty { cues.append(Cue(start: cue.start, end: cue.end, words: words)) }
            open = nil
        }
        // A carriage return and a line feed are one character to Swift, and one new line to both.
        for line in Self.withoutMark(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // Looking for a byte is quick, and most lines have no such.
            if line.utf8.contains(UInt8(ascii: ">")), let arrow = line.firstRange(of: "-->") {
                close()
                guard let start = Self.seconds(line[..<arrow.lowerBound]),
                    let end = Self.seconds(line[arrow.upperBound...]), end > start
                else { return nil }
                open = (start, end, [])
            } else if line.allSatisfy(\.isWhitespace) {
                close()
            } else {
                open?.words.append(line)
            }
            guard cues.count <= Self.mostCues else { return nil }
        }
        close()
        guard !cues.isEmpty, cues.count <= Self.mostCues else { return nil }
        self.cues = cues
    }

    /// As a file. Players take `<` and `&` for the beginning of something.
    var document: String {
        let blocks = cues.map { cue in
            let words = cue.words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
                ">", with: "&gt;")
            return "\(Self.time(cue.start)) --> \(Self.time(cue.end))\n\(words)\n"
        }
        return "WEBVTT\n\n" + blocks.joined(separator: "\n")
    }

    private static func withoutMark(_ text: String) -> Substring {
        text.unicodeScalars.first == "\u{FEFF}" ? Substring(text.unicodeScalars.dropFirst()) : text[...]
    }

    /// Words without tags, their references resolved.
    private static func plain(_ words: String) -> String {
        var plain = ""
        var isTag = false
        for character in words {
            if character == "<" {
                isTag = true
            } else if character == ">", isTag {
                isTag = false
            } else if !isTag {
                plain.append(character)
            }
        }
        return CharacterReferences.resolve(plain) { references[$0] }
    }

    private static let references = ["lt": "<", "gt": ">", "nbsp": " ", "lrm": "", "rlm": "", "amp": "&"]

    /// `[hours:]minutes:seconds.thousandths`, with white space around and settings behind.
    private static func seconds(_ text: Substring) -> Double? {
        guard let word = text.split(whereSeparator: \.isWhitespace).first else { return nil }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let rest = last.split(separator: ".", omittingEmptySubsequences: false)
        guard rest.count == 2, rest[1].utf8.count == 3, let thousandths = number(rest[1]), let second = number(rest[0]),
            second < 60, let minute = number(parts[parts.count - 2]), minute < 60
        else { return nil }
        let hour = parts.count == 3 ? number(parts[0]) : 0
        guard let hour, hour < 1000 else { return nil }
        return Double(hour * 3600 + minute * 60 + second) + Double(thousandths) / 1000
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...4).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.integer(in: 0...9999)
    }

    private static func time(_ seconds: Double) -> String {
        let all = Int(clamping: (seconds * 1000).rounded())
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
        }
        return
            "\(digits(all / 3_600_000, 2)):\(digits(all / 60_000 % 60, 2)):\(digits(all / 1000 % 60, 2)).\(digits(all % 1000, 3))"
    }
}
