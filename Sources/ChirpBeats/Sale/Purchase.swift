package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import GRDB

/// What somebody buys, with all that its paper will say. Orders name it in ``OrderTerms/subject``.
package struct Purchase: Hashable, Sendable, Identifiable {
    package let id: HubID
    /// Nil: whose account is gone.
    package let buyer: AccountID?
    package let seller: AccountID?
    /// Of a request that was not delivered yet the request itself, as its work.
    package private(set) var item: HubID
    package private(set) var work: HubID
    /// Of the track, as it was when it was bought.
    package private(set) var title: String
    /// The ``LicenceOffer``, or what an auction or a request calls its own.
    package let licence: String
    package let licenceName: String
    /// Their price is what was agreed on.
    package let terms: LicenceTerms
    /// The version of the text that the buyer has read.
    package let text: HubID
    /// As the contract names them.
    package let licensor: String
    package let licensee: String
    package let auction: HubID?
    package let request: HubID?
    /// Why it cannot be delivered any more; nil as long as it can.
    package let over: String?

    /// Nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let item = HubID(row["item"] as String),
            let work = HubID(row["work"] as String), let text = HubID(row["text"] as String),
            let terms = LicenceTerms(json: row["terms"] as String)
        else { return nil }
        (self.id, self.item, self.work, self.text, self.terms) = (id, item, work, text, terms)
        (buyer, seller, title) = (row["buyer"], row["seller"], row["title"])
        (licence, licenceName, licensor, licensee) = (
            row["licence"], row["licenceName"], row["licensor"], row["licensee"]
        )
        auction = (row["auction"] as String?).flatMap { HubID($0) }
        request = (row["request"] as String?).flatMap { HubID($0) }
        over = row["over"]
    }

    /// The same with the track that is brought for it.
    func bringing(_ track: Track) -> Purchase {
        var purchase = self
        (purchase.item, purchase.work, purchase.title) = (track.id, track.work, track.item.title)
        return purchase
    }

    /// What is ordered with it; nil where its price is still to be agreed on.
    package func orderTerms(_ kind: Order.Kind = .buy) -> OrderTerms? {
        guard let money = terms.price.money else { return nil }
        return OrderTerms(
            kind: kind, scope: work.text, licence: terms.kind == .exclusive ? .exclusive : .lease, subject: id.text,
            price: money)
    }
}

/// What somebody wants to buy.
package struct PurchaseDraft: Hashable, Sendable {
    /// Of the form: the same of the same buyer is the same purchase.
    package var key: String
    package var buyer: AccountID
    package var seller: AccountID
    package var item: HubID
    package var work: HubID
    package var title: String
    package var licence: String
    package var licenceName: String
    /// With the price that is paid.
    package var terms: LicenceTerms
    package var text: HubID
    package var licensor: String
    package var licensee: String
    package var auction: HubID?
    package var request: HubID?

    /// Of an auction or a request, whose order is delivered as any other (``Purchase/orderTerms(_:)``).
    package init(
        key: String, buyer: AccountID, seller: AccountID, item: HubID, work: HubID, title: String, licence: String,
        licenceName: String, terms: LicenceTerms, text: HubID, licensor: String, licensee: String,
        auction: HubID? = nil, request: HubID? = nil
    ) {
        (self.key, self.buyer, self.seller, self.item, self.work) = (key, buyer, seller, item, work)
        (self.title, self.licence, self.licenceName) = (title, licence, licenceName)
        (self.terms, self.text, self.licensor, self.licensee) = (terms, text, licensor, licensee)
        (self.auction, self.request) = (auction, request)
    }

    /// Of one of the licences that a track is offered under.
    package init(key: String, _ offer: LicenceOffer, of track: Track, by buyer: AccountID, named licensee: String) {
        (self.key, self.buyer, seller) = (key, buyer, track.item.author.id)
        (item, work, title) = (track.id, track.work, track.item.title)
        (licence, licenceName, terms, text) = (offer.id.text, offer.name, offer.terms, offer.text)
        (licensor, self.licensee) = (track.item.author.name, licensee)
    }
}

/// Why something was not bought.
package enum PurchaseRefusal: Error, Hashable, Sendable {
    /// The name for the contract is missing, or longer than a contract shows.
    case name(most: Int)
    case notFound
    /// The licence, its text or its price is another one by now.
    case changed
    /// Another licence of the work was sold since the buyer was told of those before.
    case moreLicences
    /// Its price is to be agreed on.
    case onlyByOffer
    /// The track is not in the shop.
    case ended
    /// Some of the files that it promises are not there, as stems that are compared again.
    case otherFiles
    /// Somebody has bid for it, or has won it.
    case promised
    /// The buyer has reserved very often today; seconds to wait.
    case tooOften(seconds: Int)
    case order(OrderRefusal)

    init(_ error: any Error) {
        switch error {
        case let error as PurchaseRefusal: self = error
        case AccountError.tooOften(let seconds): self = .tooOften(seconds: seconds)
        default: self = .order(.library((error as? LibraryError) ?? .inputOutput(path: "sales", reason: "\(error)")))
        }
    }
}

extension LicencePrice {
    /// What is paid; nil where both sides agree on it first.
    package var money: Money? {
        switch self {
        case .amount(let amount): Currency(amount.currency).map { Money(amount.smallest, $0) }
        case .free: Currency("EUR").map { Money(0, $0) }
        case .offer: nil
        }
    }

    /// The price of an amount: nothing is free.
    package init(_ money: Money) {
        self =
            money.amount == 0
            ? .free
            : .amount(LicenceAmount(money.amount, money.currency.code, decimals: money.currency.exponent))
    }
}
