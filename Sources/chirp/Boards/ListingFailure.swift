import ChirpCore

/// Why listings cannot be asked for or made.
enum ListingFailure: Explained, Hashable {
    case noPlace(String, meant: [String])
    /// What the board has not taken, and why, by the names of fields.
    case refused(title: String, fields: [String: String])
    case noListing(String)
    /// A file that is no picture, and why.
    case noPicture(String, String)
    /// The hub does not answer, and why.
    case away(String)

    /// The board has looked at it, and nothing was listed.
    var isRefusal: Bool {
        switch self {
        case .noPlace, .refused: true
        case .noListing, .noPicture, .away: false
        }
    }

    var whatHappened: String {
        switch self {
        case .noPlace(let name, _): return "no place is called '\(PlainText(name, limit: 100))'"
        case .noListing(let name):
            return "'\(PlainText(name, limit: 100))' is no listing: give its address, or what it ends with"
        case .away(let why): return why
        case .noPicture(let name, let why):
            return "the picture '\(PlainText(name, limit: 100))' is not taken: \(PlainText(why, limit: 300))"
        case .refused(let title, let fields):
            let all = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let title = title.isEmpty ? "the board does not take this" : title
            return PlainText(([title] + all).joined(separator: "; "), limit: 1000).value
        }
    }

    var cure: Cure {
        switch self {
        case .noPlace(_, let meant) where meant.isEmpty:
            .advice("Write it another way, or give degrees such as 50.73,7.10")
        case .noPlace(_, let meant):
            .advice("Did you mean \(meant.map { PlainText($0, limit: 120).value }.joined(separator: "; "))?")
        case .away: .advice("Run it again later")
        case .refused, .noListing, .noPicture: .advice("Change it, then run it again")
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .noPlace, .noListing: .usage
        case .refused: .refused
        case .noPicture: .badInput
        case .away: .temporary
        }
    }
}
