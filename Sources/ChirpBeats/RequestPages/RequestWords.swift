internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes

extension RequestState {
    /// How it stands and whose turn it is, for one side.
    func words(for side: Side) -> String {
        let money = ["money": money?.words ?? ""]
        return switch (phase, turn == side) {
        case (.asked, true): word("deal.request.asked.you")
        case (.asked, false): word("deal.request.asked")
        case (.priced, true): word("deal.request.priced.you", money)
        case (.priced, false): word("deal.request.priced", money)
        case (.countered, true): word("deal.request.countered.you", money)
        case (.countered, false): word("deal.request.countered", money)
        case (.agreed, true): word("deal.request.agreed.you", money)
        case (.agreed, false): word("deal.request.agreed", money)
        case (.paid, true): word("deal.request.paid.you", money)
        case (.paid, false): word("deal.request.paid", money)
        case (.delivered, _): word("deal.request.delivered", money)
        case (.declined, _): by == side ? word("deal.request.declined.you") : word("deal.request.declined")
        case (.expired, _): word("deal.request.expired")
        }
    }
}

extension RequestMove {
    /// What was done, without who.
    var sentence: String {
        let money = ["money": money?.words ?? ""]
        return switch act {
        case .price?: word("deal.move.price", money)
        case .counter?: word("deal.move.counter", money)
        case .agree?: word("deal.move.agree", money)
        case .decline?: word("deal.move.decline")
        case .pay?: word("deal.move.pay", money)
        case .deliver?: word("deal.move.deliver")
        case nil: word("deal.move.expire")
        }
    }
}

extension RequestRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .noAccount, .own, .notProducer: .forbidden
        case .empty, .tooLong, .notYours, .key, .currency, .tooLittle, .tooMuch: .unprocessableContent
        case .tooOften, .strangers: .tooManyRequests
        case .enough, .over, .notYourTurn, .notNow, .changed, .amount, .alreadyOnTable: .conflict
        case .library(let error): error.status
        }
    }

    package var sentence: String {
        switch self {
        case .notFound: word("deal.refused.norequest")
        case .noAccount: word("beat.refused.inactive")
        case .own: word("deal.refused.ownask")
        case .notProducer: word("deal.refused.noproducer")
        case .empty: word("deal.refused.empty")
        case .tooLong(let most): word("beat.fault.long", ["most": "\(most)"])
        case .notYours: word("deal.refused.notyours")
        case .tooOften, .strangers: word("beat.often")
        case .enough(let most): word("deal.refused.enough", count: most)
        case .key: word("deal.refused.key")
        case .over: word("deal.refused.requestover")
        case .notYourTurn: word("deal.refused.otherturn")
        case .notNow: word("deal.refused.notnow")
        case .changed: word("deal.refused.moved")
        case .amount(let money): word("deal.refused.amount", ["needed": money.words])
        case .alreadyOnTable(let money): word("deal.refused.table", ["money": money.words])
        case .currency(let needed): word("deal.refused.currency", ["currency": needed.code])
        case .tooLittle: word("deal.fault.positive")
        case .tooMuch: word("deal.fault.much")
        case .library: word("beat.refused.inside")
        }
    }

    package var wrong: [String: String] {
        switch self {
        case .amount, .alreadyOnTable, .currency, .tooLittle, .tooMuch: ["amount": sentence]
        case .empty, .tooLong: ["words": sentence]
        case .changed(let moves): ["seen": "\(moves)"]
        default: [:]
        }
    }

    package var wait: Int? {
        switch self {
        case .tooOften(_, let seconds), .strangers(let seconds): seconds
        default: nil
        }
    }
}
