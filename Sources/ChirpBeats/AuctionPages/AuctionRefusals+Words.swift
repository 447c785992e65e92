internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

extension AuctionTerms.Field {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .start: word("deal.field.start")
        case .step: word("deal.field.step")
        case .ends: word("deal.field.ends")
        }
    }
}

extension AuctionTerms.Fault {
    /// As people read it, without its full stop.
    var sentence: String {
        switch self {
        case .notPositive: word("deal.fault.positive")
        case .tooMuch: word("deal.fault.much")
        case .tooSoon(let least): word("deal.fault.soon", count: least / 3600)
        case .tooLate(let most): word("deal.fault.late", count: most / 86_400)
        }
    }
}

extension BidRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .noAccount, .own: .forbidden
        case .tooLow, .tooHigh, .currency, .key: .unprocessableContent
        case .over, .withdrawn, .taken, .changed, .card, .keyUsed: .conflict
        case .library(let error): error.status
        }
    }

    package var sentence: String {
        switch self {
        case .notFound: word("deal.refused.noauction")
        case .noAccount: word("beat.refused.inactive")
        case .own: word("deal.refused.ownbid")
        case .tooLow(let needed): word("deal.refused.low", ["needed": needed.words])
        case .tooHigh(let most): word("deal.refused.high", ["most": most.words])
        case .currency(let needed): word("deal.refused.currency", ["currency": needed.code])
        case .over(let end): word("deal.refused.over", ["time": Wording.instant(Accounts.date(end))])
        case .withdrawn: word("deal.refused.withdrawn")
        case .taken(let until?): word("deal.refused.taken", ["time": Wording.instant(until)])
        case .taken(nil): word("deal.refused.sold")
        case .changed: word("deal.refused.terms")
        case .card: word("deal.refused.card")
        case .key, .keyUsed: word("deal.refused.key")
        case .library: word("beat.refused.inside")
        }
    }

    package var wrong: [String: String] {
        switch self {
        case .tooLow(let needed): ["amount": sentence, "needed": needed.digits]
        case .tooHigh, .currency: ["amount": sentence]
        case .over(let end): ["ends": InstantText.iso(Accounts.date(end))]
        case .changed(let version): ["version": "\(version)"]
        default: [:]
        }
    }
}

extension AuctionRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .noAccount: .forbidden
        case .fields, .key: .unprocessableContent
        case .notOpen, .already, .hasBids, .ended, .changed, .passed, .amount: .conflict
        case .library(let error): error.status
        }
    }

    package var sentence: String {
        switch self {
        case .notFound: word("deal.refused.noauction")
        case .noAccount: word("beat.refused.inactive")
        case .fields: word("beat.refused.fields")
        case .key: word("deal.refused.key")
        case .notOpen: word("deal.refused.notopen")
        case .already: word("deal.refused.already")
        case .hasBids(let count): word("deal.refused.hasbids", count: count)
        case .ended(_, let at): word("deal.refused.over", ["time": Wording.instant(Accounts.date(at))])
        case .changed: word("beat.refused.changed")
        case .passed(let until): word("deal.refused.passed", ["time": Wording.instant(Accounts.date(until))])
        case .amount(let needed): word("deal.refused.amount", ["needed": needed.words])
        case .library: word("beat.refused.inside")
        }
    }

    var faults: [AuctionTerms.Field: String] {
        guard case .fields(let faults) = self else { return [:] }
        return faults.mapValues(\.sentence)
    }

    package var wrong: [String: String] {
        if case .changed(let version) = self { return ["version": "\(version)"] }
        return Dictionary(uniqueKeysWithValues: faults.map { ($0.key.rawValue, $0.value) })
    }
}

extension DealRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .noPayments, .notPaid, .notYourTurn, .noTrack: .conflict
        case .order(let refusal):
            switch refusal {
            case .notFound: .notFound
            case .noAccount, .own: .forbidden
            case .badKey, .badTerms, .badPrice: .unprocessableContent
            case .payment(let error) where error.isTemporary: .serviceUnavailable
            case .library(let error): error.status
            default: .conflict
            }
        }
    }

    package var sentence: String {
        switch self {
        case .noPayments: word("deal.refused.nopayments")
        case .notPaid: word("deal.refused.notpaid")
        case .notYourTurn: word("deal.refused.turn")
        case .noTrack: word("deal.refused.notrack")
        case .order(.sold): word("deal.refused.sold")
        case .order(.taken(let until)): word("deal.refused.taken", ["time": Wording.instant(until)])
        case .order(.noAccount): word("beat.refused.inactive")
        case .order(.payment(let error)) where error.isTemporary: word("deal.refused.provider")
        case .order: word("deal.refused.order")
        }
    }
}
