/// What a track costs: an amount of a currency's smallest unit, nothing, or what both sides agree on (AR-16).
package enum TrackPrice: Hashable, Sendable {
    case amount(Int64, Currency)
    case free
    case offer

    /// Those that can be asked for.
    package enum Currency: String, Hashable, Sendable, CaseIterable {
        case eur = "EUR"
        case usd = "USD"
        case gbp = "GBP"
        case chf = "CHF"
        case jpy = "JPY"

        /// Digits behind the point (ISO 4217).
        package var decimals: Int { self == .jpy ? 0 : 2 }

        /// Of the smallest unit in the greater one.
        var unit: Int64 { decimals == 0 ? 1 : 100 }
    }

    /// How programs and forms call it.
    package enum Kind: String, Hashable, Sendable, CaseIterable { case amount, free, offer }

    package var kind: Kind {
        switch self {
        case .amount: .amount
        case .free: .free
        case .offer: .offer
        }
    }

    /// The most that can be asked for, in the greater unit.
    package static let most: Int64 = 1_000_000

    /// Where lists by price are divided, in the greater unit of whichever currency: whoever looks for something cheap does not calculate rates.
    package enum Band: String, Hashable, Sendable, CaseIterable {
        case free, offer
        case under20, from20, from50, from100
    }

    package var band: Band {
        switch self {
        case .free: .free
        case .offer: .offer
        case .amount(let amount, let currency):
            switch amount / currency.unit {
            case ..<20: .under20
            case ..<50: .from20
            case ..<100: .from50
            default: .from100
            }
        }
    }

    /// Reads an amount as people type it, such as `12`, `12.5` and `12,50`, without a floating-point number.
    ///
    /// - Returns: smallest units; nil for what is no amount, is more exact than the currency, nothing, or more than ``most``.
    package static func amount(typed text: String, _ currency: Currency) -> Int64? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = parts.first, (1...2).contains(parts.count), (1...7).contains(whole.utf8.count),
            let units = digits(whole)
        else { return nil }
        var rest: Int64 = 0
        if parts.count == 2 {
            guard (1...max(currency.decimals, 1)).contains(parts[1].utf8.count), let read = digits(parts[1]) else {
                return nil
            }
            rest = parts[1].utf8.count == 1 && currency.decimals == 2 ? read * 10 : read
            if currency.decimals == 0 {
                guard rest == 0 else { return nil }
            }
        }
        let amount = units * currency.unit + rest
        return amount > 0 && amount <= most * currency.unit ? amount : nil
    }

    private static func digits(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text.safeInteger : nil
    }

    /// An amount with a point, as in `12.50`.
    package static func text(_ amount: Int64, _ currency: Currency) -> String {
        guard currency.decimals > 0 else { return "\(amount)" }
        let rest = amount % currency.unit
        return "\(amount / currency.unit).\(rest < 10 ? "0" : "")\(rest)"
    }
}
