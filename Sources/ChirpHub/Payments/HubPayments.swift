internal import ChirpAccounts
internal import ChirpBeats
internal import ChirpBoards
internal import ChirpCommunity
public import ChirpCore
internal import ChirpHTTP
internal import ChirpOrders
internal import FoundationEssentials

/// How what is sold on the hub is paid. The money goes to the seller, never through the hub.
public struct HubPayments: Hashable, Sendable {
    /// By cards and phones, for what the hub's owner sells; nil: everything is paid by hand, as what others sell always is.
    public var cards: Cards?
    /// What forms begin with, by its code.
    public var currency = "EUR"

    /// Those that can be asked for.
    public static let currencies = TrackPrice.Currency.allCases.map(\.rawValue)

    /// The owner's account at Stripe.
    public struct Cards: Hashable, Sendable {
        public var key: Secret
        /// What signs messages of Stripe's; several while one is exchanged for another.
        public var signing: [Secret]
        public var api: String
        /// Where its pages are.
        public var pages: String

        public init(
            key: Secret, signing: [Secret], api: String = "https://api.stripe.com",
            pages: String = "https://checkout.stripe.com"
        ) {
            (self.key, self.signing, self.api, self.pages) = (key, signing, api, pages)
        }
    }

    public init() {}
}

extension HubApplication {
    /// What sells beats.
    func saleDesk(_ links: HubLinks) -> SaleDesk {
        let payments = settings.payments
        let currency = TrackPrice.Currency(rawValue: payments.currency) ?? .eur
        guard let cards = payments.cards, let api = WebAddress(cards.api) else {
            return SaleDesk(
                library: library, links: links, payments: SalePayments(currency: currency), makeMP3: tracks?.copy)
        }
        let owner = library.owner.id
        let stripeSettings = Stripe.Settings(
            api: api, account: { $0 == owner ? .own(cards.key) : nil }, signing: cards.signing,
            back: { order in
                let page = "\(links.publicURL)\(SaleDesk.purchase(order))"
                return ("\(page)/paid", page)
            },
            // What is bought is named on the hub's own page; a name on another's would have to be true in every language.
            title: { order in "Licence \(order.id)" })
        let stripe = Stripe(paymentTransport ?? CurlTransport(), stripeSettings, now: library.now)
        return SaleDesk(
            library: library, links: links,
            payments: SalePayments(cards: stripe, pages: cards.pages, currency: currency) { $0 == owner },
            makeMP3: tracks?.copy)
    }
}
