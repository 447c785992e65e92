package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import FoundationEssentials

extension DealDesk {
    /// Does all that is due, each minute: bids whose card came late are placed, auctions close, who has won is charged, who was outbid gets
    /// card and hold back, and what was paid too late goes back. May be repeated, and by several processes at once.
    ///
    /// - Returns: what went wrong and is tried another time, in words.
    @discardableResult
    package func settle() async -> [String] {
        var problems: [String] = []
        func trying(_ work: () async throws -> Void) async {
            do { try await work() } catch {
                if !Task.isCancelled, problems.count < 10 { problems.append("\(error)") }
            }
        }
        func all(_ states: Set<BidTry.State>, _ work: (BidTry) async throws -> Void) async throws {
            var last: Int64 = 0
            while case let tries = try await auctions.tries(states, after: last), let end = tries.last {
                for tried in tries { await trying { try await work(tried) } }
                last = end.sequence
            }
        }
        if money != nil { await trying { try await all([.waiting]) { try await late($0) } } }
        await trying { try await auctions.settle(at: now) }
        await trying { try await all([.placed, .won]) { try await collect($0) } }
        await trying {
            for bid in try await auctions.lapsed(since: now.addingTimeInterval(-Self.lookBack)) {
                await trying { try await giveBack(Self.turn(bid)) }
            }
        }
        await trying {
            for id in try await requests.expired(since: now.addingTimeInterval(-Self.lookBack)) {
                await trying { try await giveBack(Self.turn(id)) }
            }
        }
        return problems
    }

    /// Seconds that money may come too late.
    private static let lookBack: Double = 4 * 86_400
    /// Seconds after which nobody comes back any more who was asked for a card.
    private static let patience: Double = 2 * 3600

    static func turn(_ bid: Int64) -> String { "auction-turn:\(bid)" }
    static func turn(_ request: HubID) -> String { "request:\(request)" }

    /// A bidder may never have come back.
    private func late(_ tried: BidTry) async throws {
        guard let money else { return }
        do { _ = try await go(on: tried) } catch let refusal as BidRefusal {
            if case .library = refusal { throw refusal }
        } catch DealRefusal.notPaid {
        } catch DealRefusal.noPayments {
            try await auctions.turn(tried, to: .refused)
        }
        let isOld = Accounts.milliseconds(now) - tried.at > Int64(clamping: Self.patience * 1000)
        guard isOld, let order = try await money.orders.store.order(placedAs: tried.purchase), order.state == .asking
        else { return }
        _ = try await money.orders.lose(order.id)
        try await auctions.turn(tried, to: .refused)
    }

    private func collect(_ tried: BidTry) async throws {
        guard let money, let order = try await money.orders.store.order(placedAs: tried.purchase) else { return }
        switch (try await auctions.standing(of: tried), order.state) {
        case (.winning(let until), .bound):
            var hasWon = true
            do {
                _ = try await money.orders.win(
                    order.id, patience: max(60, Double(until) / 1000 - now.timeIntervalSince1970))
            } catch OrderRefusal.sold {
                // Whoever has it has paid for it: this card or hold is kept for nothing.
                _ = try await money.orders.lose(order.id)
                hasWon = false
            } catch OrderRefusal.changed {
                // Whoever settles at the same moment has let it win, and says so here.
                return
            }
            try await auctions.turn(tried, to: hasWon ? .won : .over)
        case (.winning, _): if tried.state == .placed { try await auctions.turn(tried, to: .won) }
        case (.leading, _): if tried.state == .won { try await auctions.turn(tried, to: .over) }
        case (.lost, .bound), (.lost, .asking):
            _ = try await money.orders.lose(order.id)
            try await auctions.turn(tried, to: .over)
        case (.lost, .paid): _ = try await money.orders.refund(order.id, by: nil, reason: "it was too late")
        // It is still charged: money that comes now goes back with the next round.
        case (.lost, .reserved): _ = try await money.orders.look(at: order.id)
        case (.lost, _): try await auctions.turn(tried, to: .over)
        }
    }

    /// Where somebody pays whose turn it is: the winner what her bid led to, and whoever gets the turn of somebody that has not paid, or
    /// whose card was refused, a page of her own.
    ///
    /// - Returns: nil where there is nothing to open.
    package func pay(_ auction: Auction, by bidder: AccountID) async throws -> Order {
        guard let turn = auction.turn, let money else {
            throw auction.turn == nil ? DealRefusal.notYourTurn : .noPayments
        }
        if let tried = try await auctions.tries([.placed, .won], of: bidder).last(where: { $0.bid == turn.bid.sequence }
        ),
            turn.isWinner, let order = try await money.orders.store.order(placedAs: tried.purchase)
        {
            if order.state == .bound { try await collect(tried) }
            if let order = try await money.orders.store.order(order.id),
                [.bound, .reserved, .paid, .delivered].contains(order.state)
            {
                return order
            }
        }
        let facts = try await auctions.facts(of: auction.id)
        return try await order(
            .auction(auction.id), of: Self.turn(turn.bid.sequence), by: bidder, from: facts.seller, item: facts.item,
            scope: facts.scope, price: turn.bid.money)
    }

    /// Where the asker pays what was agreed.
    package func pay(_ request: BeatRequest, by asker: AccountID) async throws -> Order {
        guard request.asker == asker, request.state.phase == .agreed, let price = request.state.money else {
            throw DealRefusal.notYourTurn
        }
        return try await order(
            .request(request.id), of: Self.turn(request.id), by: asker, from: request.producer, item: nil,
            scope: DealSubject.request(request.id).text, price: price)
    }

    /// The producer says which track it is, and it is handed over as soon as it can be.
    package func deliver(_ track: HubID, for request: BeatRequest, by producer: AccountID) async throws {
        try await requests.bring(track, for: request.id, by: producer)
        guard let money else { return }
        for number in 0..<20 {
            guard let order = try await money.orders.store.order(placedAs: "\(Self.turn(request.id)):\(number)") else {
                return
            }
            if order.state == .paid {
                do { try await money.orders.deliver(order) } catch { throw DealRefusal.order(error) }
                return
            }
        }
    }
}
