import ChirpBeats
import ChirpOrders
import Testing

@Suite struct RequestStateTests {
    private typealias State = RequestState
    private static let price = DealCast.euros(5000)
    private static let other = DealCast.euros(4000)

    /// Every state that there is, by the name that the table has for it.
    private static let states: [String: State] = [
        "asked": .asked,
        "priced": State(.priced, by: .producer, money: price, moves: 1),
        "countered by asker": State(.countered, by: .asker, money: price, moves: 2),
        "countered by producer": State(.countered, by: .producer, money: price, moves: 3),
        "agreed": State(.agreed, by: .asker, money: price, moves: 3),
        "paid": State(.paid, by: .asker, money: price, moves: 4),
        "delivered": State(.delivered, by: .asker, money: price, moves: 5),
        "declined": State(.declined, by: .asker, money: price, moves: 2),
        "expired": State(.expired, by: .producer, money: price, moves: 2),
    ]

    /// Whose turn it is, and what she may do, with what becomes of it. Everything else is refused.
    private static let table: [String: (turn: State.Side?, acts: [State.Act.Kind: State.Phase])] = [
        "asked": (.producer, [.price: .priced, .decline: .declined]),
        "priced": (.asker, [.counter: .countered, .agree: .agreed, .decline: .declined]),
        "countered by asker": (.producer, [.counter: .countered, .agree: .agreed, .decline: .declined]),
        "countered by producer": (.asker, [.counter: .countered, .agree: .agreed, .decline: .declined]),
        "agreed": (.asker, [.pay: .paid]),
        "paid": (.producer, [.deliver: .delivered]),
        "delivered": (nil, [:]),
        "declined": (nil, [:]),
        "expired": (nil, [:]),
    ]

    private static func act(_ kind: State.Act.Kind) -> State.Act {
        switch kind {
        case .price: .price(other)
        case .counter: .counter(other)
        case .agree: .agree(price)
        case .decline: .decline
        case .pay: .pay(price)
        case .deliver: .deliver
        }
    }

    @Test func `each side does in each state what the table says, and nothing else`() throws {
        #expect(Set(Self.table.keys) == Set(Self.states.keys))
        for (name, expected) in Self.table {
            let state = try #require(Self.states[name])
            #expect(state.turn == expected.turn, "\(name)")
            #expect(state.acts == Set(expected.acts.keys), "\(name)")
            for side in State.Side.allCases {
                for kind in State.Act.Kind.allCases {
                    let outcome = Result { () throws(RequestRefusal) in try state.after(Self.act(kind), by: side) }
                    let what: Comment = "\(name): \(kind) by \(side)"
                    if let turn = expected.turn, turn != side {
                        #expect(outcome == .failure(.notYourTurn(turn, state.phase)), what)
                    } else if expected.turn == nil {
                        #expect(outcome == .failure(.over(state.phase)), what)
                    } else if let phase = expected.acts[kind] {
                        let next = try outcome.get()
                        #expect(next.phase == phase, what)
                        #expect(next.moves == state.moves + 1, what)
                        let named = kind == .price || kind == .counter
                        #expect(next.money == (named ? Self.other : state.money), what)
                        #expect(next.by == (named || kind == .decline ? side : state.by), what)
                    } else {
                        #expect(outcome == .failure(.notNow(kind, state.phase)), what)
                    }
                }
            }
        }
    }

    @Test func `amounts that are none, or another's, are refused with what is needed`() throws {
        let asked = State.asked
        let priced = try #require(Self.states["priced"])
        let agreed = try #require(Self.states["agreed"])
        let table: [(State, State.Act, State.Side, RequestRefusal)] = [
            (asked, .price(DealCast.euros(0)), .producer, .tooLittle),
            (asked, .price(DealCast.euros(.min)), .producer, .tooLittle),
            (asked, .price(DealCast.euros(.max)), .producer, .tooMuch(most: Money.most)),
            (priced, .counter(Money(4000, DealCast.dollar)), .asker, .currency(needed: DealCast.euro)),
            (priced, .counter(Self.price), .asker, .alreadyOnTable(Self.price)),
            (priced, .counter(DealCast.euros(-1)), .asker, .tooLittle),
            (priced, .agree(Self.other), .asker, .amount(Self.price)),
            (agreed, .pay(Self.other), .asker, .amount(Self.price)),
            (agreed, .pay(Money(5000, DealCast.dollar)), .asker, .amount(Self.price)),
        ]
        for (state, act, side, refusal) in table {
            #expect(throws: refusal, "\(act)") { () throws(RequestRefusal) in try state.after(act, by: side) }
        }
    }

    @Test func `after forty acts both agree or leave it`() throws {
        var state = try State.asked.after(.price(DealCast.euros(1000)), by: .producer)
        while state.acts.contains(.counter) {
            state = try state.after(
                .counter(DealCast.euros(1000 + Int64(state.moves))), by: try #require(state.turn))
        }
        #expect(state.moves == State.mostMoves)
        #expect(state.acts == [.agree, .decline])
    }

    @Test func `what waits for an answer expires, and what is paid does not`() {
        let day: Int64 = 86_400_000
        let days: [String: Int64?] = [
            "asked": 14, "priced": 14, "countered by asker": 14, "countered by producer": 14, "agreed": 7, "paid": nil,
            "delivered": nil, "declined": nil, "expired": nil,
        ]
        for (name, state) in Self.states {
            let expected = days[name] ?? -1
            #expect(state.expires(since: 1000) == expected.map { $0 * day + 1000 }, "\(name)")
            #expect((state.expired != nil) == (expected != nil), "\(name)")
            #expect(state.expired?.phase ?? .expired == .expired)
        }
    }

    @Test(arguments: 0..<200)
    func `however both act, an agreed amount stays and each moves in her turn`(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        var state = State.asked
        var agreed: Money?
        for _ in 0..<300 {
            let side = State.Side.allCases[random.below(2)]
            let amount = DealCast.euros(Int64(random.below(4)) * 1000)
            let money = random.below(2) == 0 ? state.money ?? amount : amount
            let acts: [State.Act] = [
                .price(money), .counter(money), .counter(money), .agree(money), .decline, .pay(money), .deliver,
            ]
            // Whoever walks at random seldom declines.
            let act = acts[random.below(acts.count)]
            if act == .decline, random.below(8) > 0 { continue }
            let before = state
            do throws(RequestRefusal) { state = try before.after(act, by: side) } catch { continue }
            #expect(before.turn == side)
            #expect(!before.phase.isOver)
            #expect(state.moves == before.moves + 1)
            #expect(state.moves <= State.mostMoves + 3)
            if let agreed { #expect(state.money == agreed) }
            if state.phase == .agreed {
                #expect(before.money == state.money)
                // Who has agreed is not who has named it.
                #expect(before.by != side)
                agreed = state.money
            }
            #expect(state.money != nil || state.phase == .asked || state.phase == .declined)
        }
    }
}
