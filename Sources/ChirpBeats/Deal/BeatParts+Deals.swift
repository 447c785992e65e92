internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Logging

extension BeatParts {
    /// Adds auctions, requests and connections to the board.
    ///
    /// - Parameter money: how what was won or agreed on is paid; nil: not here, and bids bind by word alone.
    package mutating func addDeals(paidBy money: DealMoney? = nil) {
        let deals: @Sendable (BeatDesk) -> DealDesk = {
            DealDesk(library: $0.desk.library, links: $0.links, money: money)
        }
        let (others, held) = (routes, hold)
        routes = { desk in
            let deals = deals(desk)
            return [
                BidRoutes(desk: desk, deals: deals).routes, RequestRoutes(desk: desk, deals: deals).routes,
                AskRoutes(desk: desk, deals: deals).routes, ConnectionRoutes(desk: desk, deals: deals).routes,
                AuctionRoutes(desk: desk, deals: deals).routes, others(desk),
            ].flatMap { $0 }
        }
        sections += [
            TrackPart(.offer) { try await deals($2).section(of: $0, $1, $2) },
            TrackPart(.acts) { try await deals($2).acts(of: $0, $1, $2) },
        ]
        hold = { work, database in
            if let why = try held(work, database) { return why }
            return try AuctionStore.isPromised(work: work, in: database) ? word("deal.held") : nil
        }
        sweeps.append { desk in
            do { try await deals(desk).requests.expire(at: desk.now) } catch {
                if !Task.isCancelled { desk.desk.logger.warning("requests cannot end yet: \(error)") }
            }
        }
        errands.append { desk, pace in
            do {
                for problem in try await pace.piece({ await deals(desk).settle() }) {
                    desk.desk.logger.warning("auctions: \(problem)")
                }
            } catch {}
        }
        again = .seconds(60)
        profiles.append { try await deals($2).profile(of: $0, for: $1, $2) }
        ways.append(("/bids", { word("deal.way.bids") }))
        ways.append(("/requests", { word("deal.way.requests") }))
        ways.append(("/connections", { word("deal.way.connections") }))
    }
}

extension DealDesk {
    /// Ways to what begins at a track: its author may open an auction of it, unless there is one, others ask for one like it.
    fileprivate func acts(of track: Track, _ view: TrackView, _ desk: BeatDesk) async throws -> HTML {
        guard view.token != nil, track.item.state == .open else { return .nothing }
        if view.isAuthor {
            let auction = try await auctions.auction(of: track.id, for: view.viewer)
            guard auction.map({ [.unsold, .withdrawn].contains($0.phase) }) ?? true else { return .nothing }
            return "<a class=\"act\" href=\"\(desk.prefix)\(track.path)/auction\">\(word("deal.open"))</a>"
        }
        guard track.kind == .beat else { return .nothing }
        return """
            <a class="act" href="\(desk.prefix)\(BeatDesk.path)/ask/\(track.item.author.handle)?like=\(track.id.text)">\(word("deal.ask"))</a>
            """
    }

    fileprivate func section(of track: Track, _ view: TrackView, _ desk: BeatDesk) async throws -> HTML {
        guard let auction = try await auctions.auction(of: track.id, for: view.viewer), auction.phase != .withdrawn
        else {
            return .nothing
        }
        let lines = auction.isSeller ? try await lines(auction, for: view.viewer) : []
        return AuctionSection(auction: auction, lines: lines, track: track, view: view, now: now, links: desk.links)
            .html
    }

    /// What one may begin with somebody, on her profile.
    fileprivate func profile(of person: PostAuthor, for viewer: Viewer, _ desk: BeatDesk) async throws -> HTML {
        guard let me = library.seen(by: viewer).account, me != person.id else { return .nothing }
        let (page, handle) = ("\(desk.prefix)\(BeatDesk.path)", person.handle)
        var ways: [HTML] = []
        if try await desk.roles.roles(of: person.id).contains(.producer) {
            ways.append("<li><a class=\"act\" href=\"\(page)/ask/\(handle)\">\(word("deal.ask"))</a></li>")
        }
        let state = try await connections.connection(of: me, with: person.id)
        let name =
            switch state?.phase {
            case .accepted?: word("deal.connection.accepted")
            case .asked? where state?.asker == me: word("deal.connection.asked.you")
            case .asked?: word("deal.connection.asked")
            case .declined?, .ended?, nil: word("deal.connection.ask")
            }
        ways.append("<li><a class=\"act\" href=\"\(page)/connections/\(handle)\">\(name)</a></li>")
        return "<ul class=\"tags\" role=\"list\" aria-label=\"\(word("deal.with"))\">\(HTML(joining: ways))</ul>\n"
    }
}
