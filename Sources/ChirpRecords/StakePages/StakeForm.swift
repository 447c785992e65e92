internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

/// What somebody has typed who pledges.
struct StakeForm {
    var amount = ""
    var unit = ""
    var until = ""
    var isAdult = false
    var key: String
    /// Of the rule, as she has read it.
    var version = ""

    init(key: String) { self.key = key }

    /// What was sent, by the names of fields.
    init(_ field: (String) -> String) {
        (amount, unit, until, key) = (field("amount"), field("unit"), field("until"), field("key"))
        version = field("version")
        isAdult = ["1", "true", "yes", "on"].contains(field("adult").lowercased())
    }

    /// What is not understood is no amount, and a day long ago.
    var terms: StakeTerms {
        StakeTerms(
            amount: Self.number(amount), unit: unit, until: Self.end(of: until) ?? .distantPast, isAdult: isAdult)
    }

    /// Nil for nothing, 0 for what is no whole number, and the most there is for what is more.
    private static func number(_ typed: String) -> Int64? {
        guard !typed.allSatisfy(\.isWhitespace) else { return nil }
        return typed.utf8.allSatisfy { (0x30...0x39).contains($0) } ? typed.safeInteger ?? PageCursor.most : 0
    }

    /// The last second of a day such as `2027-02-28` in UTC; nil for what is none.
    static func end(of day: String) -> Date? {
        guard day.utf8.count == 10,
            let date = try? Date("\(day)T23:59:59Z", strategy: .iso8601), date.formatted(.iso8601).hasPrefix(day)
        else { return nil }
        return date
    }

    static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }
}

extension StakeTerms.Field {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .amount: word("stake.field.amount")
        case .unit: word("stake.field.unit")
        case .until: word("stake.field.until")
        case .adult: word("stake.field.adult")
        case .key: word("stake.field.key")
        }
    }
}

extension StakeTerms.Fault {
    /// As people read it, without its full stop.
    var sentence: String {
        switch self {
        case .noAmount: word("stake.fault.amount")
        case .notPositive: word("stake.fault.positive")
        case .tooMuch(let most): word("stake.fault.most", ["most": "\(most)"])
        case .tooMuchAtOnce(let left): word("stake.fault.left", ["left": "\(left)"])
        case .unknown: word("stake.fault.unit")
        case .tooSoon(let least): word("stake.fault.soon", count: least / 86_400)
        case .tooLate(let most): word("stake.fault.late", count: most / 86_400)
        case .minor: word("stake.fault.adult")
        case .missing: word("stake.fault.missing")
        case .tooLong(let most): word("stake.fault.long", ["most": "\(most)"])
        }
    }
}

extension StakeRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .off, .notFound: .notFound
        case .fields: .unprocessableContent
        case .noAccount, .notSetter: .forbidden
        case .ended, .changed, .already: .conflict
        case .library(let error): error.status
        }
    }

    package var sentence: String {
        switch self {
        case .off, .notFound: word("stake.refused.nothing")
        case .fields: word("stake.refused.fields")
        case .noAccount: word("stake.refused.inactive")
        case .notSetter: word("stake.refused.setter")
        case .ended: word("stake.refused.ended")
        case .changed: word("stake.refused.changed")
        case .already: word("stake.refused.already")
        case .library: word("stake.refused.inside")
        }
    }

    var faults: [StakeTerms.Field: String] {
        guard case .fields(let faults) = self else { return [:] }
        return faults.mapValues(\.sentence)
    }

    package var wrong: [String: String] {
        Dictionary(uniqueKeysWithValues: faults.map { ($0.key.rawValue, $0.value) })
    }
}
