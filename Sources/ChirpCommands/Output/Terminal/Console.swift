package import ChirpClips
internal import ChirpCore
internal import FoundationEssentials
internal import Glibc

/// How this run speaks: data to standard output, everything else to standard error.
package struct Console: Sendable {
    /// One JSON document instead of words.
    package var json: Bool
    /// Errors only.
    var quiet: Bool
    /// Details too.
    package var verbose: Bool
    package var colored: Bool
    package var progress: ProgressStyle
    /// Standard error can show a bar.
    package var canDraw: Bool

    /// Data for people, with a newline. Nothing in the JSON manner.
    package func say(_ line: String) throws(OutputError) {
        guard !json else { return }
        try Terminal.write(line + "\n")
    }

    /// The one JSON document. Nothing in the manner for people.
    package func answer(_ document: some Encodable) throws {
        guard json else { return }
        try Terminal.write(Self.line(document) + "\n")
    }

    /// One line of JSON, with keys in a fixed order.
    package static func line(_ document: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    /// What a person should know, unless quiet.
    package func note(_ text: String) {
        guard !quiet else { return }
        Terminal.tell("\(text)\n")
    }

    /// A note of a receipt. What is done to every clip is told only to the curious.
    package func tell(_ note: Receipt.Note) {
        let line = "note: \(PlainText(note.worded.text))"
        if note.code == "rumble-removed" { detail(line) } else { self.note(line) }
    }

    /// What only a curious person wants to know.
    package func detail(_ text: String) {
        guard verbose else { return }
        Terminal.tell(paint("\(text)\n", .dim))
    }

    /// Asks for a yes. Without a terminal there is nobody to ask, and the answer is no.
    package func confirms(_ question: String) -> Bool {
        guard Terminal.canAsk else { return false }
        Terminal.tell("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    package enum Paint: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case dim = "2"
    }

    package func paint(_ text: String, _ paint: Paint) -> String {
        colored ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension Console {
    /// The view for a job of these steps: a bar, words, or nothing.
    package func progressView(_ steps: [ProgressView.Step]) -> ProgressView {
        ProgressView(steps: steps, style: progress == .auto && !canDraw ? .none : progress)
    }
}
