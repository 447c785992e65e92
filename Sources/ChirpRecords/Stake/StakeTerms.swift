package import FoundationEssentials

/// What the owner of a hub allows of stakes. They are off unless she switches them on (OU-17).
package struct StakeLimits: Hashable, Sendable {
    package var isOn: Bool
    /// As ISO 4217 has it, as in `EUR`.
    package var currency: String
    /// In the currency's smallest unit: nobody pledges more at once.
    package var most: Int64
    /// Nobody pledges for longer, in seconds.
    package var longest: Int

    package init(isOn: Bool = false, currency: String = "EUR", most: Int64 = 50_00, longest: Int = 366 * 86_400) {
        self.isOn = isOn
        self.currency = currency
        self.most = most
        self.longest = longest
    }

    package static let off = StakeLimits()
    /// In seconds: whoever is to break a record needs some time.
    package static let shortest = 86_400
}

/// What the setter of a challenge pledges: an amount for the first who breaks the world record before an instant, or for nobody. There are no
/// odds, and nobody pledges on what others set.
package struct StakeTerms: Hashable, Sendable {
    /// In the currency's smallest unit.
    package let amount: Int64
    package let currency: String
    package let until: Date
    /// She says that she is of age.
    package let isAdult: Bool

    package init(amount: Int64, currency: String, until: Date, isAdult: Bool) {
        self.amount = amount
        self.currency = currency
        self.until = until
        self.isAdult = isAdult
    }

    package enum Field: String, Hashable, Sendable, CaseIterable { case amount, currency, until, adult }

    package enum Fault: Hashable, Sendable {
        case notPositive
        case tooMuch(most: Int64)
        case unknown
        /// In seconds from now.
        case tooSoon(least: Int)
        case tooLate(most: Int)
        /// Minors pledge nothing.
        case minor
    }

    /// What is wrong, one fault for each field.
    package func faults(_ limits: StakeLimits, at now: Date) -> [Field: Fault] {
        var faults: [Field: Fault] = [:]
        if amount <= 0 {
            faults[.amount] = .notPositive
        } else if amount > limits.most {
            faults[.amount] = .tooMuch(most: limits.most)
        }
        if currency != limits.currency { faults[.currency] = .unknown }
        let wait = until.timeIntervalSince(now)
        if wait < Double(StakeLimits.shortest) {
            faults[.until] = .tooSoon(least: StakeLimits.shortest)
        } else if wait > Double(limits.longest) {
            faults[.until] = .tooLate(most: limits.longest)
        }
        if !isAdult { faults[.adult] = .minor }
        return faults
    }
}
