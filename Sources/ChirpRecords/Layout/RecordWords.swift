internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

extension Challenge.Category {
    var name: String {
        switch self {
        case .speed: word("challenge.category.speed")
        case .endurance: word("challenge.category.endurance")
        case .strength: word("challenge.category.strength")
        case .skill: word("challenge.category.skill")
        case .sound: word("challenge.category.sound")
        case .games: word("challenge.category.games")
        case .food: word("challenge.category.food")
        case .craft: word("challenge.category.craft")
        case .animals: word("challenge.category.animals")
        case .other: word("challenge.category.other")
        }
    }
}

extension Challenge {
    /// The category's name; a later release's by its own.
    var categoryName: String { category?.name ?? item.category }
}

extension Measure {
    var name: String {
        switch self {
        case .time: word("challenge.measure.time")
        case .count: word("challenge.measure.count")
        case .length: word("challenge.measure.length")
        case .weight: word("challenge.measure.weight")
        case .level: word("challenge.measure.level")
        case .points: word("challenge.measure.points")
        }
    }
}

extension ScoreUnit {
    var name: String {
        switch self {
        case .seconds: word("challenge.unit.seconds")
        case .times: word("challenge.unit.times")
        case .millimetres: word("challenge.unit.millimetres")
        case .centimetres: word("challenge.unit.centimetres")
        case .metres: word("challenge.unit.metres")
        case .kilometres: word("challenge.unit.kilometres")
        case .grams: word("challenge.unit.grams")
        case .kilograms: word("challenge.unit.kilograms")
        case .decibels: word("challenge.unit.decibels")
        case .points: word("challenge.unit.points")
        }
    }
}

extension RuleTerms.Evidence {
    var name: String {
        switch self {
        case .picture: word("challenge.evidence.picture")
        case .sound: word("challenge.evidence.sound")
        case .video: word("challenge.evidence.video")
        }
    }
}

extension RecordLevel {
    var name: String {
        switch self {
        case .place: word("challenge.level.place")
        case .town: word("challenge.level.town")
        case .country: word("challenge.level.country")
        case .world: word("challenge.level.world")
        }
    }
}

extension Attempt.State {
    var name: String {
        switch self {
        case .receiving: word("challenge.attempt.receiving")
        case .checking: word("challenge.attempt.checking")
        case .waiting: word("challenge.attempt.waiting")
        case .verified: word("challenge.attempt.verified")
        case .rejected: word("challenge.attempt.rejected")
        case .withdrawn: word("challenge.attempt.withdrawn")
        }
    }
}

extension RuleTemplate {
    var name: String {
        switch self {
        case .fastest: word("challenge.template.fastest")
        case .mostInAMinute: word("challenge.template.most")
        case .longest: word("challenge.template.longest")
        case .highest: word("challenge.template.highest")
        case .heaviest: word("challenge.template.heaviest")
        case .loudest: word("challenge.template.loudest")
        case .longestNote: word("challenge.template.note")
        case .mostPoints: word("challenge.template.points")
        }
    }
}

extension PositionPrecision {
    var name: String {
        switch self {
        case .exact: word("challenge.precision.exact")
        case .near: word("challenge.precision.near")
        case .town: word("challenge.precision.town")
        }
    }
}

extension RuleTerms {
    /// A score as people read it here: with the decimal sign of their language.
    func said(_ score: Int64) -> String { text(score, separator: Language.current == .german ? "," : ".") }

    /// What is measured, and which of two is better, in a few words, as in `Time, less is better`.
    var gist: String {
        // Rules have words of their own, for the index.
        let values: [String: String] = ["what": measure.name]
        return better == .more
            ? ChirpWeb.word("challenge.gist.more", values) : ChirpWeb.word("challenge.gist.less", values)
    }
}

/// Words that the board's pages have in common.
enum RecordWording {
    /// Whole days that something was held.
    static func days(_ count: Int) -> String {
        count == 0 ? word("challenge.days.none") : word("challenge.days", count: count)
    }

    /// How long ago an instant is, coarsely.
    static func ago(_ instant: Date, now: Date) -> String {
        let hours = Int(clamping: (max(0, now.timeIntervalSince(instant)) / 3600).rounded(.down))
        return switch hours {
        case ..<1: word("challenge.ago.now")
        case ..<48: word("challenge.ago.hours", count: hours)
        case ..<(24 * 60): word("challenge.ago.days", count: hours / 24)
        default: word("challenge.ago.months", count: min(hours / 24 / 30, 1200))
        }
    }

    /// Plain text of several lines; links of strangers stay text.
    static func lines(_ text: String, language: String? = nil) -> HTML {
        guard !text.isEmpty else { return .nothing }
        // By bytes: comparing characters was a twentieth of the time of a feed.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            "\(String(Substring($0)))" as HTML
        }
        let language: HTML = language.map { " lang=\"\($0)\"" } ?? .nothing
        return "<p class=\"words\" dir=\"auto\"\(language)>\(HTML(joining: lines, separator: "<br>"))</p>"
    }
}
