import ChirpClips
import ChirpCore

/// Notes that a batch makes about one file after the other, and people want to read once.
struct BatchNotes {
    private var kinds: [String: (count: Int, first: String)] = [:]

    /// Whether a note is one of those.
    static func isOfFile(_ note: Receipt.Note) -> Bool { words[note.code] != nil }

    /// What several of a kind are, after their number.
    private static let words = [
        "name-kept": "clips keep the whole names of their recordings, since others would have the same",
        "left-out": "names are left out: links to what is read already, pipes, sockets and devices",
    ]

    mutating func add(_ note: Receipt.Note) {
        let known = kinds[note.code]
        kinds[note.code] = ((known?.count ?? 0) + 1, known?.first ?? note.text)
    }

    /// A line for each kind; nothing is left.
    mutating func take() -> [String] {
        defer { kinds = [:] }
        return kinds.sorted { $0.key < $1.key }.map { code, kind in
            guard kind.count > 1, let words = Self.words[code] else { return PlainText(kind.first).value }
            return "\(kind.count) \(words) (each with -v)"
        }
    }
}
