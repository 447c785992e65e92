internal import ChirpCore
package import FoundationEssentials

/// What is said in a clip, in words. The text came from outside: it is bounded and plain, but not escaped for any format.
package struct ClipTranscript: Hashable, Sendable {
    package let clip: HubID
    /// As in BCP 47; empty where nobody has said.
    package let language: String
    /// The text is WebVTT, else plain lines.
    package let isTimed: Bool
    package let text: String
    package let source: Source
    package let changed: Date

    /// Whose words they are.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The author's, or whoever's clip it is.
        case own
        /// Of a program that has listened.
        case hook
    }

    /// The path of its file, without the site's prefix.
    package var path: String { "/media/\(clip.text).\(isTimed ? "vtt" : "txt")" }

    /// Its media type.
    package var type: String { isTimed ? "text/vtt" : "text/plain" }

    /// The language, or another where nobody has said.
    package func languageOr(_ other: String) -> String { language.isEmpty ? other : language }

    /// What is said, line by line, with the second where a line begins; nil where the words have no times.
    package var lines: [(seconds: Double?, words: String)] {
        guard isTimed, let timed = TimedText(text) else {
            return text.split(separator: "\n").map { (nil, String($0)) }
        }
        return timed.cues.map { ($0.start, $0.words) }
    }
}

/// What somebody has typed or a program has written, made fit to be kept.
package struct TranscriptDraft: Hashable, Sendable {
    /// Empty: there is to be none.
    package let text: String
    /// The text is WebVTT, else plain lines.
    package let isTimed: Bool
    /// As in BCP 47; empty where nobody has said.
    package let language: String

    /// The most that one may have, in bytes as it is sent.
    package static let mostBytes = 200_000
    /// The most characters that are kept of one without times.
    static let mostCharacters = 60_000

    /// The most Unicode scalars that are looked for.
    static let mostSpoken = 5000

    /// Why a text is no transcript.
    package enum Refusal: Error, Hashable {
        case tooLong
        /// It begins as WebVTT and is none.
        case notTimedText
        case noLanguage
    }

    /// - Parameter language: as in BCP 47; empty where nobody has said.
    package init(_ text: String, language: String) throws(Refusal) {
        guard text.utf8.count <= Self.mostBytes else { throw .tooLong }
        guard language.utf8.count <= 35, language.utf8.allSatisfy(Self.isOfLanguage) else { throw .noLanguage }
        self.language = language
        if TimedText.begins(text) {
            guard let timed = TimedText(text) else { throw .notTimedText }
            (self.text, isTimed) = (timed.document, true)
        } else {
            (self.text, isTimed) = (PlainText.lines(text, limit: Self.mostCharacters), false)
        }
    }

    /// What comes with a publication: what begins as WebVTT and is none is plain words.
    ///
    /// - Parameter language: has been looked at.
    init(said text: String, language: String) {
        if let draft = try? TranscriptDraft(text, language: language) {
            self = draft
        } else {
            (self.text, isTimed) = (PlainText.lines(text, limit: Self.mostCharacters), false)
            self.language = language
        }
    }

    /// The words alone, without times, as far as a thing with the clip is found by them.
    var spoken: String {
        let words = isTimed ? TimedText(text)?.cues.map(\.words).joined(separator: " ") ?? "" : text
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(Self.mostSpoken)))
    }

    private static func isOfLanguage(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
