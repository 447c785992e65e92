package import ChirpCommunity
package import ChirpOrders

/// How a request for a beat stands: one state that both see (AR-13), and whose turn it is. Pure rules over values.
package struct RequestState: Hashable, Sendable {
    package let phase: Phase
    /// Who has named the amount, or declined.
    package let by: Side
    /// The amount that is on the table; from ``Phase/agreed`` on it never changes. Nil as long as nobody has named one.
    package let money: Money?
    /// How many acts there were.
    package let moves: Int

    package enum Side: String, Hashable, Sendable, CaseIterable {
        /// Wants a beat, and pays.
        case asker
        /// Names a price, and delivers.
        case producer

        package var other: Side { self == .asker ? .producer : .asker }
    }

    package enum Phase: String, Hashable, Sendable, CaseIterable {
        case asked, priced, countered, agreed, paid, delivered, declined, expired

        /// Nothing follows.
        package var isOver: Bool { self == .delivered || self == .declined || self == .expired }
    }

    package enum Act: Hashable, Sendable {
        /// The producer names a first price.
        case price(Money)
        /// Who is asked to agree names another amount.
        case counter(Money)
        /// To the amount that is on the table, which is said again, so that nobody agrees to what she has not seen.
        case agree(Money)
        case decline
        /// The payment side has the money.
        case pay(Money)
        /// The file and the licence are with the asker.
        case deliver

        package var kind: Kind {
            switch self {
            case .price: .price
            case .counter: .counter
            case .agree: .agree
            case .decline: .decline
            case .pay: .pay
            case .deliver: .deliver
            }
        }

        /// The amount that it names.
        package var money: Money? {
            switch self {
            case .price(let money), .counter(let money), .agree(let money), .pay(let money): money
            case .decline, .deliver: nil
            }
        }

        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case price, counter, agree, decline, pay, deliver
        }
    }

    package init(_ phase: Phase, by: Side, money: Money?, moves: Int) {
        self.phase = phase
        self.by = by
        self.money = money
        self.moves = moves
    }

    /// Somebody has asked.
    package static let asked = RequestState(.asked, by: .asker, money: nil, moves: 0)

    /// How many acts there are until both have to agree or leave it, so that nobody haggles for ever.
    package static let mostMoves = 40
    /// Without a move for so long a request expires, and an agreed one without a payment; in ms. The time to pay is shorter.
    package static let patience: Int64 = 14 * 86_400_000
    package static let timeToPay: Int64 = 7 * 86_400_000

    /// Who moves next; nil: nobody any more.
    package var turn: Side? {
        switch phase {
        case .asked, .paid: .producer
        case .priced, .countered: by.other
        case .agreed: .asker
        case .delivered, .declined, .expired: nil
        }
    }

    /// When it expires that has come to this state at an instant, in ms; nil: what is paid waits for as long as it takes.
    package func expires(since instant: Int64) -> Int64? {
        switch phase {
        case .asked, .priced, .countered: instant + Self.patience
        case .agreed: instant + Self.timeToPay
        case .paid, .delivered, .declined, .expired: nil
        }
    }

    /// What may be done now, by whose turn it is.
    package var acts: Set<Act.Kind> {
        let canCounter = moves < Self.mostMoves
        return switch phase {
        case .asked: [.price, .decline]
        case .priced, .countered: canCounter ? [.counter, .agree, .decline] : [.agree, .decline]
        case .agreed: [.pay]
        case .paid: [.deliver]
        case .delivered, .declined, .expired: []
        }
    }

    /// What becomes of it by an act of one side.
    package func after(_ act: Act, by side: Side) throws(RequestRefusal) -> RequestState {
        guard let turn else { throw .over(phase) }
        guard turn == side else { throw .notYourTurn(turn, phase) }
        guard acts.contains(act.kind) else { throw .notNow(act.kind, phase) }
        try check(act)
        let next: (Phase, Side, Money?) =
            switch act {
            case .price(let money): (.priced, side, money)
            case .counter(let money): (.countered, side, money)
            // Who has named the amount stays with it.
            case .agree: (.agreed, by, money)
            case .decline: (.declined, side, money)
            case .pay: (.paid, by, money)
            case .deliver: (.delivered, by, money)
            }
        return RequestState(next.0, by: next.1, money: next.2, moves: moves + 1)
    }

    /// Nobody has moved in time.
    package var expired: RequestState? {
        switch phase {
        case .asked, .priced, .countered, .agreed: RequestState(.expired, by: by, money: money, moves: moves + 1)
        case .paid, .delivered, .declined, .expired: nil
        }
    }

    private func check(_ act: Act) throws(RequestRefusal) {
        guard let named = act.money else { return }
        switch act {
        case .agree, .pay:
            guard let money, named == money else { throw .amount(money ?? named) }
        case .price, .counter:
            guard named.amount > 0 else { throw .tooLittle }
            guard named.amount <= Money.most else { throw .tooMuch(most: Money.most) }
            guard let money else { return }
            guard named.currency == money.currency else { throw .currency(needed: money.currency) }
            guard named != money else { throw .alreadyOnTable(money) }
        case .decline, .deliver: break
        }
    }
}

/// Why nothing became of a request.
package enum RequestRefusal: Error, Hashable, Sendable {
    /// There is no such request, person, or track for who asks; also when one of the two has blocked the other.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    /// Nobody asks herself.
    case own
    /// That person makes no beats.
    case notProducer
    /// Neither words nor a clip.
    case empty
    case tooLong(most: Int)
    /// Not her own clip, or not ready.
    case notYours
    /// She has asked that many people within a day; seconds to wait.
    case tooOften(most: Int, seconds: Int)
    /// So many of hers wait for that producer.
    case enough(most: Int)
    /// She has written to as many people as a day has who do not know her; seconds to wait.
    case strangers(seconds: Int)
    /// What tells one try from another is missing or longer than that many bytes.
    case key(most: Int)
    /// It has ended so.
    case over(RequestState.Phase)
    /// It is the turn of that side.
    case notYourTurn(RequestState.Side, RequestState.Phase)
    /// Nothing that is done in this phase.
    case notNow(RequestState.Act.Kind, RequestState.Phase)
    /// Something has happened since; that many acts there are now.
    case changed(moves: Int)
    /// That is the amount on the table.
    case amount(Money)
    /// It is on the table already: agree to it.
    case alreadyOnTable(Money)
    case currency(needed: Currency)
    case tooLittle
    case tooMuch(most: Int64)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as RequestRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "requests", reason: "\(error)"))
        }
    }
}
