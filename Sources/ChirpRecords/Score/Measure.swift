/// What attempts at a challenge are compared by (OU-16).
package enum Measure: String, Hashable, Sendable, CaseIterable {
    case time, count, length, weight, level, points

    /// What a rule may be in.
    package var units: [ScoreUnit] {
        switch self {
        case .time: [.seconds]
        case .count: [.times]
        case .length: [.millimetres, .centimetres, .metres, .kilometres]
        case .weight: [.grams, .kilograms]
        case .level: [.decibels]
        case .points: [.points]
        }
    }

    /// The most places behind the point: more than any tool measures that people bring.
    package var mostDecimals: Int {
        switch self {
        case .count: 0
        case .level: 2
        case .time, .length, .weight, .points: 3
        }
    }

    /// Whether there is less than nothing of it: levels are told relative to a full scale, points are taken off.
    package var goesBelowZero: Bool { self == .level || self == .points }
}

/// What a score is counted in.
package enum ScoreUnit: String, Hashable, Sendable, CaseIterable {
    case seconds = "s"
    case times = "x"
    case millimetres = "mm"
    case centimetres = "cm"
    case metres = "m"
    case kilometres = "km"
    case grams = "g"
    case kilograms = "kg"
    case decibels = "dB"
    case points = "pt"

    package var measure: Measure {
        switch self {
        case .seconds: .time
        case .times: .count
        case .millimetres, .centimetres, .metres, .kilometres: .length
        case .grams, .kilograms: .weight
        case .decibels: .level
        case .points: .points
        }
    }

    /// In the smallest unit in which something of its measure is typed: milliseconds, millimetres, grams.
    var size: Int64 {
        switch self {
        case .millimetres, .grams, .times, .decibels, .points: 1
        case .centimetres: 10
        case .seconds, .metres, .kilograms: 1000
        case .kilometres: 1_000_000
        }
    }

    /// Stands behind a number. Nothing for what is only counted.
    package var symbol: String { self == .times || self == .points ? "" : rawValue }
}
