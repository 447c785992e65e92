internal import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials

/// What the owner of a hub allows of stakes. They are off unless she switches them on (OU-17). The hub moves no money: it writes down who has
/// promised how much of something to whom, in a unit that she names.
package struct StakeLimits: Hashable, Sendable {
    package var isOn: Bool
    /// What is counted, as in `points`; plain text (``HubChoices/isUnit(_:)``). Amounts are whole numbers of it.
    package var unit: String
    /// Nobody pledges more at once.
    package var most: Int64
    /// Nor more with several pledges that are not settled.
    package var mostOpen: Int64
    /// Nobody pledges for longer, in seconds.
    package var longest: Int

    package init(
        isOn: Bool = false, unit: String = "points", most: Int64 = 100, mostOpen: Int64? = nil,
        longest: Int = 366 * 86_400
    ) {
        self.isOn = isOn
        self.unit = unit
        self.most = most
        self.mostOpen = mostOpen ?? most * 5
        self.longest = longest
    }

    package static let off = StakeLimits()

    /// In seconds: whoever is to break a record needs some time.
    package static let shortest = 86_400
}

/// What the setter of a challenge pledges: an amount for the first who breaks the world record before an instant, or for nobody. There are no
/// odds, and nobody pledges on what others set.
package struct StakeTerms: Hashable, Sendable {
    /// A whole number of the unit; nil: she has not said how much.
    package let amount: Int64?
    /// ``StakeLimits/unit``, as she has read it.
    package let unit: String
    package let until: Date
    /// She says that she is of age.
    package let isAdult: Bool

    package init(amount: Int64?, unit: String, until: Date, isAdult: Bool) {
        self.amount = amount
        self.unit = unit
        self.until = until
        self.isAdult = isAdult
    }

    package enum Field: String, Hashable, Sendable, CaseIterable { case amount, unit, until, adult, key }

    package enum Fault: Hashable, Sendable {
        case noAmount
        case notPositive
        case tooMuch(most: Int64)
        /// With what else she has pledged that is not settled: so much is left.
        case tooMuchAtOnce(left: Int64)
        case unknown
        /// In seconds from now.
        case tooSoon(least: Int)
        case tooLate(most: Int)
        /// Minors pledge nothing.
        case minor
        case missing
        case tooLong(most: Int)
    }

    /// What is wrong, one fault for each field.
    ///
    /// - Parameter open: what she has pledged already that is not settled.
    package func faults(_ limits: StakeLimits, open: Int64 = 0, at now: Date) -> [Field: Fault] {
        var faults: [Field: Fault] = [:]
        switch amount {
        case nil: faults[.amount] = .noAmount
        case let amount? where amount <= 0: faults[.amount] = .notPositive
        case let amount? where amount > limits.most: faults[.amount] = .tooMuch(most: limits.most)
        case let amount? where amount > limits.mostOpen - open:
            faults[.amount] = .tooMuchAtOnce(left: max(0, limits.mostOpen - open))
        default: break
        }
        if unit != limits.unit { faults[.unit] = .unknown }
        let wait = until.timeIntervalSince(now)
        // A date that is none is too far as well.
        if wait < Double(StakeLimits.shortest) {
            faults[.until] = .tooSoon(least: StakeLimits.shortest)
        } else if !(wait <= Double(limits.longest)) {
            faults[.until] = .tooLate(most: limits.longest)
        }
        if !isAdult { faults[.adult] = .minor }
        return faults
    }
}
