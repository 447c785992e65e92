internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import Logging

extension BeatParts {
    /// What selling adds to the board: licences on a track's page, buying, files and papers, and that paid things are brought.
    package mutating func sell(by sales: SaleDesk) {
        let others = routes
        routes = { desk in
            // Those without a parameter come first.
            others(desk) + PaperRoutes(desk: desk, sales: sales).routes
                + PurchaseRoutes(desk: desk, sales: sales).routes
                + CardRoutes(desk: desk, sales: sales).routes
                + SalesRoutes(desk: desk, sales: sales).routes + TextRoutes(desk: desk, sales: sales).routes
                + OfferRoutes(desk: desk, sales: sales).routes
                + BuyRoutes(desk: desk, sales: sales).routes + ReopeningRoutes(desk: desk, sales: sales).routes
        }
        sections.append(
            TrackPart(.offer) { track, view, desk in
                let offers = try await sales.offers.offers(of: track.work)
                var taken: HTML?
                if !offers.isEmpty, track.item.state == .open,
                    let order = try await sales.orders.store.exclusive(of: track.work.text), order.state == .reserved,
                    let until = order.until, until > desk.now
                {
                    taken = .word("beat.offer.taken", ["time": Wording.time(until)])
                }
                return OfferView(track: track, offers: offers, view: view, taken: taken, links: desk.links).html
            })
        sections.append(TrackPart(.offer) { try await ReopeningRoutes.section($0, $1, $2, sales) })
        let hold = hold
        self.hold = { work, database in
            if let why = try hold(work, database) { return why }
            return try OrderStore.isWaiting(work.text, in: database) ? word("beat.sale.hold") : nil
        }
        errands.append { desk, pace in
            do {
                let problems = try await pace.piece { () async throws(OrderRefusal) in try await sales.sweep() }
                for problem in problems { desk.desk.logger.warning("an order waits: \(problem)") }
            } catch {
                if !Task.isCancelled { desk.desk.logger.warning("orders are not looked at yet: \(error)") }
            }
        }
        again = .seconds(60)
        ways += [
            (path: "/purchases", name: { @Sendable in word("beat.sale.purchases") }),
            (path: "/sales", name: { @Sendable in word("beat.sale.sales") }),
        ]
    }
}
