internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

extension Track.Kind {
    var name: String {
        switch self {
        case .beat: word("beat.kind.beat")
        case .open: word("beat.kind.open")
        }
    }
}

extension BeatRole {
    var name: String {
        switch self {
        case .producer: word("beat.role.producer")
        case .artist: word("beat.role.artist")
        case .user: word("beat.role.user")
        }
    }
}

extension TrackPrice {
    /// As people read it, in their language.
    package var name: String {
        switch self {
        case .free: word("beat.price.free")
        case .offer: word("beat.price.offer")
        case .amount(let amount, let currency):
            word(
                "beat.price.amount",
                ["amount": TrackWording.decimal(Self.text(amount, currency)), "currency": currency.rawValue])
        }
    }
}

extension TrackPrice.Band {
    var name: String {
        switch self {
        case .free: word("beat.price.free")
        case .offer: word("beat.price.offer")
        case .under20: word("beat.band.under", ["most": "20"])
        case .from20: word("beat.band.between", ["least": "20", "most": "50"])
        case .from50: word("beat.band.between", ["least": "50", "most": "100"])
        case .from100: word("beat.band.over", ["least": "100"])
        }
    }
}

extension Tonality {
    /// As in `F♯ minor`, in the visitor's language.
    package var name: String {
        let notes = word("beat.key.notes").split(separator: " ").map(String.init)
        let note = notes.count == 12 ? notes[tonic] : "\(tonic)"
        return isMinor ? word("beat.key.minor", ["note": note]) : word("beat.key.major", ["note": note])
    }
}

/// How numbers of tracks are said.
enum TrackWording {
    /// With the visitor's sign before the decimals.
    static func decimal(_ text: String) -> String {
        Language.current == .german ? text.replacing(".", with: ",") : text
    }

    /// To so many places, with a true minus.
    static func number(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "–" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let whole = Int(clamping: (abs(value) * Double(scale)).rounded())
        let (units, rest) = whole.quotientAndRemainder(dividingBy: scale)
        let digits = String(rest)
        let tail = places == 0 ? "" : ".\(String(repeating: "0", count: places - digits.count))\(digits)"
        return decimal("\(value < 0 && whole > 0 ? "−" : "")\(units)\(tail)")
    }

    /// Paragraphs of what somebody has written.
    static func lines(_ text: String, language: String?) -> HTML {
        guard !text.isEmpty else { return .nothing }
        let language: HTML = language.map { " lang=\"\($0)\"" } ?? .nothing
        return "<p class=\"words\" dir=\"auto\"\(language)>\(text)</p>"
    }

    /// A tempo, with the other one that it may be.
    static func tempo(_ tempo: TrackFacts.Tempo) -> String {
        let beats = number(tempo.beats, places: 0)
        guard let other = tempo.other else { return word("beat.tempo", ["beats": beats]) }
        let values = ["beats": beats, "other": number(other, places: 0)]
        return tempo.confidence < unsure ? word("beat.tempo.unsure", values) : word("beat.tempo.or", values)
    }

    /// A key, with the other one that it may be.
    static func key(_ key: TrackFacts.Key) -> String {
        guard let other = key.other else { return key.tonality.name }
        let values = ["key": key.tonality.name, "other": other.name]
        return key.confidence < unsure ? word("beat.key.unsure", values) : word("beat.key.or", values)
    }

    /// Below that what was found is as likely wrong as right.
    private static let unsure = 0.5
}
