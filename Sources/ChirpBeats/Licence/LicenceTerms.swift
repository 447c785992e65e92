internal import FoundationEssentials

/// What a licence allows and costs: the part of a contract that shops, forms and tables show.
package struct LicenceTerms: Hashable, Sendable {
    package var kind: Kind
    /// Without doubles, in the order of ``File``.
    package let files: [File]
    package var limits: LicenceLimits
    package var price: LicencePrice

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// To any number of people.
        case lease
        /// To one, once for a work (AR-17).
        case exclusive
    }

    /// What the buyer gets.
    package enum File: String, Hashable, Sendable, CaseIterable { case mp3, wav, stems }

    package init(kind: Kind, files: some Sequence<File>, limits: LicenceLimits = LicenceLimits(), price: LicencePrice) {
        let wanted = Set(files)
        self.kind = kind
        self.files = File.allCases.filter(wanted.contains)
        self.limits = limits
        self.price = price
    }

    /// What is wrong with them, field by field; empty when they can be offered.
    package var faults: [LicenceField: LicenceFault] {
        var faults: [LicenceField: LicenceFault] = [:]
        if files.isEmpty { faults[.files] = .missing }
        for (field, count) in [(LicenceField.copies, limits.copies), (.streams, limits.streams)] {
            if let count, !(1...LicenceLimits.mostTimes).contains(count) {
                faults[field] = .outOfRange(1, LicenceLimits.mostTimes)
            }
        }
        if let years = limits.years, !(1...LicenceLimits.mostYears).contains(years) {
            faults[.years] = .outOfRange(1, LicenceLimits.mostYears)
        }
        if case .countries(let codes) = limits.territory {
            if codes.isEmpty { faults[.territory] = .missing }
            if codes.count > LicenceLimits.mostCountries {
                faults[.territory] = .tooMany(most: LicenceLimits.mostCountries)
            }
            if !codes.allSatisfy(LicenceLimits.isCountry) { faults[.territory] = .unknown }
        }
        if case .amount(let amount) = price, !amount.isSound { faults[.price] = .unknown }
        return faults
    }
}

/// How far a licence goes. Nil is without limit.
package struct LicenceLimits: Hashable, Sendable {
    /// Copies that may be sold or given away, downloads included.
    package var copies: Int?
    /// Times that it may be played by streaming services.
    package var streams: Int?
    /// From the day of the sale.
    package var years: Int?
    package var territory: Territory
    /// Whoever uses it names its maker.
    package var needsCredit: Bool
    /// It may be used where money is earned with it.
    package var allowsProfit: Bool

    package enum Territory: Hashable, Sendable {
        case world
        /// By their codes of two letters (ISO 3166-1).
        case countries([String])
    }

    package static let mostTimes = 1_000_000_000
    package static let mostYears = 99
    package static let mostCountries = 60

    package init(
        copies: Int? = nil, streams: Int? = nil, years: Int? = nil, territory: Territory = .world,
        needsCredit: Bool = true, allowsProfit: Bool = true
    ) {
        self.copies = copies
        self.streams = streams
        self.years = years
        self.territory = territory
        self.needsCredit = needsCredit
        self.allowsProfit = allowsProfit
    }

    static func isCountry(_ code: String) -> Bool {
        code.utf8.count == 2 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

/// What a licence costs (AR-16).
package enum LicencePrice: Hashable, Sendable {
    case amount(LicenceAmount)
    case free
    /// What both agree on.
    case offer
}

/// Money as a contract names it.
package struct LicenceAmount: Hashable, Sendable {
    /// In the smallest unit of the currency.
    package let smallest: Int64
    /// Three capital letters (ISO 4217).
    package let currency: String
    /// Of the currency: 2 for EUR, 0 for JPY.
    package let decimals: Int

    /// What payment services take: eight digits.
    package static let most: Int64 = 99_999_999

    package init(_ smallest: Int64, _ currency: String, decimals: Int) {
        self.smallest = smallest
        self.currency = currency
        self.decimals = decimals
    }

    /// Whether it can stand in a contract: above nothing, and in something that looks like a currency.
    package var isSound: Bool {
        (1...Self.most).contains(smallest) && (0...4).contains(decimals) && currency.utf8.count == 3
            && currency.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Whole units with all decimals, as in `12.50`.
    ///
    /// - Parameter point: what stands before the decimals.
    package func digits(point: String = ".") -> String {
        var digits = String(smallest.magnitude)
        guard decimals > 0 else { return digits }
        let missing = decimals + 1 - digits.utf8.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        return "\(digits.dropLast(decimals))\(point)\(digits.suffix(decimals))"
    }
}

/// What terms and texts are made of, by the names that forms and programs use.
package enum LicenceField: String, Hashable, Sendable, CaseIterable {
    case files, copies, streams, years, territory, price
    case title, body, language
}

/// What is wrong with a field.
package enum LicenceFault: Hashable, Sendable {
    case missing
    case unknown
    case outOfRange(Int, Int)
    case tooMany(most: Int)
    case tooLong(most: Int)
    case text(LicenceText.Fault)
}
