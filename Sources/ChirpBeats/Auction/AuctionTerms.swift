package import ChirpOrders
package import FoundationEssentials

/// What a seller sets about an auction. It can be changed until somebody bids.
package struct AuctionTerms: Hashable, Sendable {
    /// The least that a first bid is.
    package let start: Money
    /// By how much each bid is higher than the one before, in the smallest unit of the same currency.
    package let step: Int64
    /// When it ends, unless late bids extend it.
    package let ends: Date

    package init(start: Money, step: Int64, ends: Date) {
        self.start = start
        self.step = step
        self.ends = ends
    }

    /// How long an auction lasts at least and at most, in seconds.
    package static let shortest = 3600
    package static let longest = 30 * 86_400
    /// An accepted bid so shortly before the end extends it, and by so much; in ms. A bid that is refused never does.
    package static let lastMinutes: Int64 = 300_000
    package static let extensionTime: Int64 = 300_000
    /// How long whoever has to pay may take, in ms. Then it is the next one's turn.
    package static let timeToPay: Int64 = 48 * 3_600_000

    package enum Field: String, Hashable, Sendable, CaseIterable { case start, step, ends }

    package enum Fault: Hashable, Sendable {
        case notPositive
        case tooMuch(most: Int64)
        /// In seconds from now.
        case tooSoon(least: Int)
        case tooLate(most: Int)
    }

    /// What is wrong, one fault for each field.
    package func faults(at now: Date) -> [Field: Fault] {
        var faults: [Field: Fault] = [:]
        for (field, amount) in [(Field.start, start.amount), (.step, step)] {
            if amount <= 0 { faults[field] = .notPositive }
            if amount > Money.most { faults[field] = .tooMuch(most: Money.most) }
        }
        let wait = ends.timeIntervalSince(now)
        // A date that is none is too far as well.
        if wait < Double(Self.shortest) {
            faults[.ends] = .tooSoon(least: Self.shortest)
        } else if !(wait <= Double(Self.longest)) {
            faults[.ends] = .tooLate(most: Self.longest)
        }
        return faults
    }
}
