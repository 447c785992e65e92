/// What somebody typed: amounts with units, or hours, minutes and seconds between colons. Hostile text is expected.
struct TypedAmount {
    /// In ten to the minus ``places`` of the measure's smallest unit where ``isOfUnits``, otherwise of the rule's.
    private let sum: Int128
    let places: Int
    /// It says what it is in.
    let isOfUnits: Bool

    /// Bytes, and digits of a number.
    private static let longest = 60
    private static let mostDigits = 15
    private static let mostPlaces = 9
    private static let mostParts = 4

    /// What it is in the unit of a rule, times its size: so that nothing has to be divided yet.
    func value(in unit: ScoreUnit) -> Int128 { isOfUnits ? sum : sum * Int128(unit.size) }

    init(_ text: String, in measure: Measure) throws(ScoreFault) {
        guard text.utf8.count <= Self.longest else { throw .notUnderstood }
        var bytes = Self.plain(text)[...]
        Self.skipSpace(&bytes)
        guard !bytes.isEmpty else { throw .missing }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        let parts = try Self.parts(&bytes)
        let amount =
            parts.contains { $0.isFollowedByColon }
            ? try Self.clock(parts, measure) : try Self.amounts(parts, measure)
        sum = isNegative ? -amount.sum : amount.sum
        (places, isOfUnits) = (amount.places, amount.isOfUnits)
    }

    /// A number, and what stands behind it.
    private struct Part {
        var digits: Int64 = 0
        /// How many of them stand before and behind the point.
        var before = 0
        var places = 0
        var unit = ""
        var isFollowedByColon = false
    }

    private static func parts(_ bytes: inout ArraySlice<UInt8>) throws(ScoreFault) -> [Part] {
        var parts: [Part] = []
        while true {
            skipSpace(&bytes)
            guard !bytes.isEmpty else { return parts }
            guard parts.count < mostParts else { throw .notUnderstood }
            // Behind a number without a unit there is nothing but a colon.
            if let last = parts.last, last.unit.isEmpty, !last.isFollowedByColon { throw .notUnderstood }
            parts.append(try part(&bytes))
        }
    }

    private static func part(_ bytes: inout ArraySlice<UInt8>) throws(ScoreFault) -> Part {
        var part = Part()
        var hasPoint = false
        while let byte = bytes.first {
            if (0x30...0x39).contains(byte) {
                guard part.before + part.places < mostDigits, part.places < mostPlaces else { throw .notUnderstood }
                part.digits = part.digits * 10 + Int64(byte - 0x30)
                if hasPoint { part.places += 1 } else { part.before += 1 }
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                break
            }
            bytes.removeFirst()
        }
        guard part.before + part.places > 0 else { throw .notUnderstood }
        // 1.500 says no more than 1.5.
        while part.places > 0, part.digits % 10 == 0 {
            part.digits /= 10
            part.places -= 1
        }
        if bytes.first == UInt8(ascii: ":") {
            bytes.removeFirst()
            part.isFollowedByColon = true
            // Nothing stands between the parts of a clock, and something behind its colon.
            guard let next = bytes.first, (0x30...0x39).contains(next), !hasPoint else { throw .notUnderstood }
            return part
        }
        skipSpace(&bytes)
        while let byte = bytes.first, (0x61...0x7A).contains(byte) || byte == 0x22 || byte == 0x27 {
            part.unit.append(Character(Unicode.Scalar(byte)))
            bytes.removeFirst()
        }
        return part
    }

    private typealias Amount = (sum: Int128, places: Int, isOfUnits: Bool)

    /// `h:mm:ss.ss` or `m:ss.ss`; with an `h` behind it, two numbers are hours and minutes.
    private static func clock(_ parts: [Part], _ measure: Measure) throws(ScoreFault) -> Amount {
        guard measure == .time else { throw .otherUnit(.time) }
        guard let last = parts.last, !last.isFollowedByColon, parts.dropLast().allSatisfy(\.isFollowedByColon),
            (2...3).contains(parts.count)
        else { throw .notUnderstood }
        let ofLast: Int64
        switch (parts.count, last.unit) {
        case (3, ""), (3, "h"), (2, ""), (2, "min"), (2, "m"), (2, "s"): ofLast = 1000
        case (2, "h"): ofLast = 60_000
        default: throw .notUnderstood
        }
        for part in parts.dropFirst() {
            guard part.before == 2, part.digits < 60 * RuleTerms.power(part.places) else { throw .notUnderstood }
        }
        var (sum, size) = (Int128(0), Int128(ofLast))
        for part in parts.reversed() {
            sum += Int128(part.digits) * size * Int128(RuleTerms.power(last.places - part.places))
            size *= 60
        }
        return (sum, last.places, true)
    }

    /// Numbers with their units, the largest unit first; one number may be without.
    private static func amounts(_ parts: [Part], _ measure: Measure) throws(ScoreFault) -> Amount {
        guard let first = parts.first else { throw .notUnderstood }
        if parts.count == 1, first.unit.isEmpty { return (Int128(first.digits), first.places, false) }
        let places = parts.map(\.places).max() ?? 0
        var (sum, last) = (Int128(0), Int64.max)
        for part in parts {
            guard !part.unit.isEmpty else { throw .notUnderstood }
            guard let size = size(of: part.unit, measure) else {
                if let other = Measure.allCases.first(where: { Self.size(of: part.unit, $0) != nil }) {
                    throw .otherUnit(other)
                }
                throw .notUnderstood
            }
            guard size < last else { throw .notUnderstood }
            sum += Int128(part.digits) * Int128(size) * Int128(RuleTerms.power(places - part.places))
            last = size
        }
        return (sum, places, true)
    }

    /// What a unit is in the smallest of its measure, as people write it in English and German.
    private static func size(of unit: String, _ measure: Measure) -> Int64? {
        switch (measure, unit) {
        case (.time, "ms"): 1
        case (.time, "s"), (.time, "sec"), (.time, "sek"), (.time, "second"), (.time, "seconds"), (.time, "sekunde"),
            (.time, "sekunden"), (.time, "\""), (.time, "''"):
            1000
        case (.time, "min"), (.time, "m"), (.time, "minute"), (.time, "minutes"), (.time, "minuten"), (.time, "'"):
            60_000
        case (.time, "h"), (.time, "std"), (.time, "hour"), (.time, "hours"), (.time, "stunde"), (.time, "stunden"):
            3_600_000
        case (.count, "x"), (.count, "times"), (.count, "mal"): 1
        case (.length, "mm"): 1
        case (.length, "cm"): 10
        case (.length, "m"): 1000
        case (.length, "km"): 1_000_000
        case (.weight, "g"): 1
        case (.weight, "kg"): 1000
        case (.weight, "t"): 1_000_000
        case (.level, "db"): 1
        case (.points, "p"), (.points, "pt"), (.points, "pts"), (.points, "point"), (.points, "points"),
            (.points, "punkt"), (.points, "punkte"):
            1
        default: nil
        }
    }

    /// In small letters, with one kind each of minus, point, space and marks of minutes and seconds.
    private static func plain(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\u{2212}", "\u{2013}": Array("-".utf8)
            case ",": Array(".".utf8)
            case "\u{2032}", "\u{2019}": Array("'".utf8)
            case "\u{2033}", "\u{201D}": Array("\"".utf8)
            case "\u{00A0}", "\u{2007}", "\u{2009}", "\u{202F}", "\t": Array(" ".utf8)
            case "A"..."Z": [UInt8(ascii: "a") + UInt8(scalar.value - 0x41)]
            default: scalar.isASCII ? [UInt8(scalar.value)] : [0]
            }
        }
    }

    private static func skipSpace(_ bytes: inout ArraySlice<UInt8>) {
        while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    }
}
