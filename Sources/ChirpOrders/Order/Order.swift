package import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials

/// What somebody buys of somebody, and how far that is.
package struct Order: Hashable, Sendable, Identifiable {
    package let id: HubID
    /// Its place among all orders.
    package let sequence: Int64
    /// Nil: whose account is gone.
    package let buyer: AccountID?
    package let seller: AccountID?
    /// Nil: the item is gone.
    package let item: HubID?
    package let terms: OrderTerms
    /// By whom it is paid (``PaymentProvider/name``).
    package let provider: String
    /// To whose account there: as it was when the order was reserved, whatever account its seller has by now.
    package let account: PaymentAccount
    package let method: Method
    package let state: State
    /// Why it failed or went back; empty otherwise.
    package let reason: String
    package let created: Date
    /// When it came into its state.
    package let changed: Date
    /// Until when the buyer may pay; nil for what is not reserved.
    package let until: Date?
    /// Where the buyer pays; nil before the provider has said it, and where there is nothing to open.
    package let address: String?
    package let references: PaymentReferences

    /// How it came to be.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case buy, bid
        /// Its price was agreed on.
        case offer
    }

    /// What may be done with what is bought.
    package enum Licence: String, Hashable, Sendable, CaseIterable {
        case lease
        /// Sold once for a work.
        case exclusive
    }

    /// How it is paid.
    package enum Method: String, Hashable, Sendable, CaseIterable {
        /// It costs nothing.
        case none
        /// On the provider's page.
        case checkout
        /// The money is held on the provider's page, and taken later.
        case hold
        /// The card is kept on the provider's page, and charged later.
        case card
    }

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// A bid that does not bind yet: its card is being asked for.
        case asking
        /// A bid that binds: its card is kept, or its money held.
        case bound
        /// Its buyer is paying.
        case reserved
        case paid
        case delivered
        /// The money is on its way back.
        case refunding
        case refunded
        /// A bid that did not win: its hold or card is being let go.
        case releasing
        case released
        /// Payment was refused or given up.
        case failed
        /// Nobody has paid in time.
        case expired

        /// What it may become. The database has the same table, and refuses the rest.
        package var next: Set<State> {
            switch self {
            case .asking: [.bound, .releasing, .refunding, .failed, .expired]
            case .bound: [.reserved, .releasing, .refunding]
            case .reserved: [.paid, .refunding, .releasing, .failed, .expired]
            case .paid: [.delivered, .refunding]
            case .delivered: [.refunding]
            case .refunding: [.refunded]
            case .releasing: [.released, .refunding]
            // Money that comes too late goes back.
            case .released, .failed, .expired: [.refunding, .releasing]
            case .refunded: []
            }
        }
    }
}

/// What is bought, and for how much: never changes, whatever becomes of prices meanwhile (AR-16).
package struct OrderTerms: Hashable, Sendable {
    package let kind: Order.Kind
    /// What can be sold exclusively only once: a work. Nil where nothing is exclusive.
    package let scope: String?
    package let licence: Order.Licence?
    /// What else the board knows it by, such as the licence's id; up to 200 bytes, never looked at here.
    package let subject: String
    package let price: Money

    package init(kind: Order.Kind, scope: String?, licence: Order.Licence?, subject: String = "", price: Money) {
        self.kind = kind
        self.scope = scope
        self.licence = licence
        self.subject = subject
        self.price = price
    }
}

/// What somebody wants to order.
package struct OrderDraft: Hashable, Sendable {
    /// Made by the form: the same key is the same order, however often it is sent.
    package let key: String
    package let buyer: AccountID
    package let seller: AccountID
    /// Nil: it is made when it is paid.
    package let item: HubID?
    package let terms: OrderTerms
    package let provider: String
    /// In bytes.
    package static let longestKey = 200

    package init(
        key: String, buyer: AccountID, seller: AccountID, item: HubID?, terms: OrderTerms, provider: String
    ) {
        self.key = key
        self.buyer = buyer
        self.seller = seller
        self.item = item
        self.terms = terms
        self.provider = provider
    }
}
