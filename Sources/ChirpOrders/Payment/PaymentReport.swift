/// How a payment stands, as its provider says.
package struct PaymentReport: Hashable, Sendable {
    package let status: Status
    package let references: PaymentReferences
    /// Where the buyer goes; nil when there is nothing to open.
    package let address: String?

    package init(_ status: Status, _ references: PaymentReferences = PaymentReferences(), address: String? = nil) {
        self.status = status
        self.references = references
        self.address = address
    }

    package enum Status: Hashable, Sendable {
        /// Nothing has come, or it is still on its way.
        case pending
        /// The card is kept.
        case kept
        /// The money is held, and can be taken.
        case held(Money)
        case paid(Money)
        /// All that was paid is back with the buyer, or is on its way without anything left to do.
        case refunded(Money)
        /// The buyer's bank has taken it back, and the dispute about it is over.
        case chargedBack(Money)
        /// Nothing was paid, and nothing can be any more. Also: a hold or a card was let go.
        case closed
        /// Nothing was paid: why not, in the provider's word.
        case failed(String)
    }
}

/// What a provider tells by itself. It says what to look at, not how it is: news come late, twice and in any order, so the desk asks.
package struct PaymentEvent: Hashable, Sendable {
    /// The provider's, unique there.
    package let id: String
    /// In the provider's word, for those who look for faults.
    package let kind: String
    /// As in the provider's message: it may be nobody's.
    package let order: String?
    /// At whose account it happened, as the message says; looked at to refuse, and never to ask there.
    package let account: PaymentAccount
    /// A seller's account, of a message that is about that account itself.
    package let standing: String?
    package let references: PaymentReferences
    /// What it says was paid; nil where it does not speak of that.
    package let money: Money?

    package init(
        id: String, kind: String, order: String?, account: PaymentAccount = .own, standing: String? = nil,
        references: PaymentReferences, money: Money?
    ) {
        self.id = id
        self.kind = kind
        self.order = order
        self.account = account
        self.standing = standing
        self.references = references
        self.money = money
    }
}
