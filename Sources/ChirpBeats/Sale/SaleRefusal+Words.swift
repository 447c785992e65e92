internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

extension PurchaseRefusal: BoardRefusal {
    package var sentence: String {
        switch self {
        case .name(let most): word("beat.buy.name.needed", ["most": "\(most)"])
        case .notFound: word("beat.refused.nothing")
        case .changed: word("beat.buy.changed")
        case .moreLicences: word("beat.buy.more")
        case .onlyByOffer: word("beat.buy.byoffer")
        case .ended: word("beat.buy.ended")
        case .otherFiles: word("beat.buy.otherfiles")
        case .promised: word("deal.held")
        case .tooOften: word("beat.often")
        case .order(let refusal): refusal.sentence
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .name: .unprocessableContent
        case .notFound: .notFound
        case .changed, .moreLicences, .onlyByOffer, .ended, .otherFiles, .promised: .conflict
        case .tooOften: .tooManyRequests
        case .order(let refusal): refusal.status
        }
    }

    package var wrong: [String: String] {
        if case .name = self { ["name": sentence] } else { [:] }
    }

    package var wait: Int? {
        if case .tooOften(let seconds) = self { seconds } else { nil }
    }
}

extension OrderRefusal: BoardRefusal {
    package var sentence: String {
        switch self {
        case .sold: word("beat.buy.sold")
        case .taken(let until): word("beat.buy.taken", ["time": Wording.instant(until)])
        case .tooManyOpen(let most): word("beat.buy.open", ["most": "\(most)"])
        case .own: word("beat.buy.own")
        case .noAccount: word("beat.buy.noaccount")
        case .notFound: word("beat.refused.nothing")
        case .changed: word("beat.buy.state")
        case .payment(let error): error.isTemporary ? word("beat.buy.later") : word("beat.buy.refused")
        case .delivery: word("beat.buy.delivering")
        case .badKey, .badTerms, .badPrice, .noProvider: word("beat.buy.refused")
        case .library: word("beat.refused.inside")
        }
    }

    package var status: HTTPResponse.Status {
        switch self {
        case .sold, .taken, .tooManyOpen, .changed, .delivery: .conflict
        case .own, .noAccount: .forbidden
        case .notFound: .notFound
        case .badKey, .badTerms, .badPrice: .unprocessableContent
        case .payment(let error):
            error.isTemporary ? .serviceUnavailable : HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
        case .noProvider: HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
        case .library(let error): error.status
        }
    }
}

extension Order.State {
    /// As people read it, of what they buy or sell.
    var name: String {
        switch self {
        case .asking, .bound: word("beat.sale.state.bound")
        case .reserved: word("beat.sale.state.reserved")
        case .paid: word("beat.sale.state.paid")
        case .delivered: word("beat.sale.state.delivered")
        case .refunding: word("beat.sale.state.refunding")
        case .refunded: word("beat.sale.state.refunded")
        case .releasing, .released: word("beat.sale.state.released")
        case .failed: word("beat.sale.state.failed")
        case .expired: word("beat.sale.state.expired")
        }
    }
}

extension Money {
    /// As people read it, in their language.
    var name: String {
        amount == 0
            ? word("beat.price.free")
            : word("beat.price.amount", ["amount": TrackWording.decimal(digits), "currency": currency.code])
    }
}
