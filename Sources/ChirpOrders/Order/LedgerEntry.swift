package import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials

/// A row of the ledger. Two rows make a movement, and add up to nothing.
package struct LedgerEntry: Hashable, Sendable, Identifiable {
    /// Its place in the ledger.
    package let id: Int64
    package let order: HubID
    package let side: Side
    /// Nil: whose account is gone.
    package let account: AccountID?
    /// What that side has got; below 0: given.
    package let money: Money
    package let why: Reason
    package let at: Date

    package enum Side: String, Hashable, Sendable, CaseIterable { case buyer, seller }

    /// The first is a payment; what was paid goes back once, one way or the other.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case payment, refund
        /// The buyer's bank has taken it back for good.
        case chargeback
    }
}
