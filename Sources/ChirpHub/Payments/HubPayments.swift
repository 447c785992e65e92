internal import ChirpAccounts
internal import ChirpBeats
internal import ChirpBoards
internal import ChirpCommunity
public import ChirpCore
package import ChirpHTTP
internal import ChirpOrders
internal import FoundationEssentials

/// How what is sold on the hub is paid. The money goes to the seller, never through the hub.
public struct HubPayments: Hashable, Sendable {
    /// By cards and phones, for what the hub's owner sells, and others who connect accounts of their own; nil: everything is paid by hand.
    public var cards: Cards?
    /// What forms begin with, by its code.
    public var currency = "EUR"

    /// The owner's account at Stripe.
    public struct Cards: Hashable, Sendable {
        public var key: Secret
        /// What signs messages of Stripe's; several while one is exchanged for another.
        public var signing: [Secret]
        /// What signs messages of accounts that sellers connect; empty: they cannot connect any.
        public var connectSigning: [Secret]
        public var api: String
        /// Where its pages are.
        public var pages: String
        /// Where the pages are on which sellers fill in their accounts, with those that they lead to for signing in there.
        public var sellerPages: String

        public init(
            key: Secret, signing: [Secret], connectSigning: [Secret] = [], api: String = "https://api.stripe.com",
            pages: String = "https://checkout.stripe.com", sellerPages: String = "https://*.stripe.com"
        ) {
            (self.key, self.signing, self.connectSigning) = (key, signing, connectSigning)
            (self.api, self.pages, self.sellerPages) = (api, pages, sellerPages)
        }

        /// Whether others can connect accounts to the owner's, as Stripe says.
        package enum Connecting: Hashable, Sendable {
            case possible, impossible
            /// It has not said, for a reason.
            case unknown(String)
        }

        /// Asks, and changes nothing.
        package func connecting(over transport: any HTTPTransport) async -> Connecting {
            guard let address = WebAddress(api) else { return .unknown("'\(api)' is no address") }
            do {
                return try await StripeConnect(transport, api: address, key: key).isPossible() ? .possible : .impossible
            } catch { return .unknown(error.whatHappened) }
        }
    }

    public init() {}
}

extension HubApplication {
    /// What sells beats.
    func saleDesk(_ links: HubLinks, _ limits: RateLimits) -> SaleDesk {
        let payments = settings.payments
        let currency = TrackPrice.Currency(rawValue: payments.currency) ?? .eur
        guard let cards = payments.cards, let api = WebAddress(cards.api) else {
            return SaleDesk(
                library: library, links: links, payments: SalePayments(currency: currency), makeMP3: tracks?.copy,
                limits: limits)
        }
        let owner = library.owner.id
        let transport = paymentTransport ?? CurlTransport()
        let sellers =
            cards.connectSigning.isEmpty
            ? nil
            : SellerCards(library: library, service: StripeConnect(transport, api: api, key: cards.key))
        let stripeSettings = Stripe.Settings(
            api: api, key: cards.key, isOwner: { $0 == owner }, sellers: sellers,
            signing: cards.signing + cards.connectSigning,
            back: { order in
                let page = "\(links.publicURL)\(SaleDesk.purchase(order))"
                return ("\(page)/paid", page)
            },
            // What is bought is named on the hub's own page; a name on another's would have to be true in every language.
            title: { order in "Licence \(order.id)" })
        let stripe = Stripe(transport, stripeSettings, now: library.now)
        return SaleDesk(
            library: library, links: links,
            payments: SalePayments(
                cards: stripe, pages: cards.pages, sellers: sellers, sellerPages: cards.sellerPages,
                currency: currency),
            makeMP3: tracks?.copy, limits: limits)
    }
}
