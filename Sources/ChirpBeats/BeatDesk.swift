internal import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
package import ChirpWeb
package import FoundationEssentials
package import Hummingbird
internal import Logging

/// What the board's routes share.
package struct BeatDesk: Sendable {
    package let desk: BoardDesk
    package let tracks: TrackStore
    package let roles: RoleStore
    let parts: BeatParts
    let likeness: TrackLikeness
    let patience: Patience
    /// Writes down what was found in tracks, after they were listened to.
    let errand: Errand

    /// Of pages, without the prefix.
    package static let path = "/\(Beats.board)"
    /// Of what programs ask.
    package static let api = "/api/hub/v1/\(Beats.board)"

    /// How often somebody may offer tracks, and send files for them.
    enum Rate {
        static let offering = RateRule(50, per: 24 * 3600)
        static let files = RateRule(100, per: 3600)
        static let likes = RateRule(240, per: 3600)
        static let payments = RateRule(60, per: 3600)
        /// Of previews for one listener those that she asks for, and those that the hub makes for all together: each takes some seconds of a processor.
        static let ownPreviews = RateRule(40, per: 3600)
        static let madePreviews = RateRule(240, per: 3600)
        static let copies = RateRule(20, per: 3600)
    }

    package init(_ desk: BoardDesk, parts: BeatParts, likeness: TrackLikeness, patience: Patience = Patience()) {
        (self.desk, self.parts, self.likeness, self.patience) = (desk, parts, likeness, patience)
        let tracks = TrackStore(library: desk.library, hold: parts.hold)
        self.tracks = tracks
        roles = RoleStore(library: desk.library)
        // Errands of other parts are given a desk; their own errand is never asked of that one.
        let (others, silent) = (parts.errands, Errand { _ in })
        errand = Errand.repeating { pace in
            do { _ = try await pace.piece { try await tracks.settleMade() } } catch {
                if !Task.isCancelled { desk.logger.warning("tracks are not looked at yet: \(error)") }
            }
            let shared = BeatDesk(desk, parts, likeness, patience, tracks, silent)
            for errand in others { await errand(shared, pace) }
            do { try await tracks.compareWaiting(pace) } catch {
                if !Task.isCancelled { desk.logger.warning("recordings are not compared yet: \(error)") }
            }
            await Self.checkStems(of: tracks, by: desk)
            return await Self.makeOwnPreviews(of: tracks, by: desk) ? .milliseconds(1) : parts.again
        }
    }

    private init(
        _ desk: BoardDesk, _ parts: BeatParts, _ likeness: TrackLikeness, _ patience: Patience, _ tracks: TrackStore,
        _ errand: Errand
    ) {
        (self.desk, self.parts, self.likeness, self.patience) = (desk, parts, likeness, patience)
        (self.tracks, self.errand) = (tracks, errand)
        roles = RoleStore(library: desk.library)
    }

    /// Compares stems with their mixes, one track after another; those that wait for a better moment are asked for again with the next errand.
    private static func checkStems(of tracks: TrackStore, by desk: BoardDesk) async {
        guard let check = desk.tracks?.checkStems else { return }
        do {
            while try await tracks.checkNextStems(by: check) {
                // Whatever was made meanwhile appears before the next comparison, which takes long.
                try await tracks.settleMade()
            }
        } catch {
            if !Task.isCancelled { desk.logger.warning("stems are not compared yet: \(error)") }
        }
    }

    package var links: HubLinks { desk.links }
    package var prefix: String { desk.links.prefix }
    package var now: Date { desk.library.now() }

    var comments: BoardComments { BoardComments(desk, board: Beats.board, frame: frame) }

    private var frame: @Sendable (_ title: String, _ body: HTML, _ token: String?) -> HTML {
        { [self] title, body, token in layout(token).page(title: title, body: body) }
    }

    /// Every address, group by group. Those whose path has no parameter where others have one come first.
    var routes: [WebRoute] {
        [
            parts.routes(self), ShopRoutes(desk: self).routes, RoleRoutes(desk: self).routes,
            OwnRoutes(desk: self).routes, CreateRoutes(desk: self).routes, TrackRoutes(desk: self).routes,
            PreviewRoutes(desk: self).routes, OwnPreviewRoutes(desk: self).routes, CopyRoutes(desk: self).routes,
            EarsRoutes(desk: self).routes, StemRoutes(desk: self).routes,
            TrackActRoutes(desk: self).routes, feeds.routes,
        ].flatMap { $0 }
    }

    /// What is done every hour.
    ///
    /// - Parameter clock: for rests.
    func sweep(clock: any Clock<Duration> = ContinuousClock()) async {
        await errand.arise()
        do { try await tracks.sweepOwnPreviews() } catch {
            if !Task.isCancelled { desk.logger.warning("previews for listeners are not swept: \(error)") }
        }
        for sweep in parts.sweeps { await sweep(self) }
        do { try await tracks.mergePrints(Pace(clock)) } catch {
            if !Task.isCancelled { desk.logger.warning("prints of tracks are not merged yet: \(error)") }
        }
    }

    var feeds: BoardFeeds {
        BoardFeeds(
            board: Beats.board, title: { word("beat.board") },
            spokenSummary: "Previews of new tracks, for programs that follow the shop", links: links,
            narrow: { asked, query in ShopSearch(asked).narrow(&query) }
        ) { [desk] query in
            let page = try await desk.library.seen(by: .visitor).items(query)
            return (page.items, page.next)
        }
    }

    /// How the board's pages look.
    ///
    /// - Parameters:
    ///   - token: of the page's forms; nil for visitors.
    ///   - place: the way that leads to the page.
    package func layout(_ token: String?, at place: String? = nil) -> BeatLayout {
        BeatLayout(links: links, token: token, ways: parts.ways, most: desk.tracks?.limits.mostBytes, place: place)
    }

    /// The one that a path names by `:id`, as the asker sees it.
    ///
    /// - Throws: 404, and ``ItemGone`` for what was there.
    package func track(_ context: WebContext) async throws -> Track {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noTrack }
        switch try await tracks.track(id, for: context.viewer) {
        case .track(let track): return track
        case .gone(let state, let since): throw ItemGone(state: state, since: since)
        case nil: throw Problem.noTrack
        }
    }

    /// The same for its author alone.
    package func ownTrack(_ context: WebContext) async throws -> Track {
        let track = try await track(context)
        guard track.item.author.id == (try context.account) else { throw Problem.noTrack }
        return track
    }

    /// A page of the board.
    package func show(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok, _ page: (_ token: String?) -> HTML
    ) -> Response { desk.show(request, context, status: status, page) }

    /// Takes one of what is limited.
    ///
    /// - Throws: 429 as a ``Problem``.
    func consume(_ what: StaticString, _ rule: RateRule, _ context: WebContext) async throws {
        try await desk.consume(what, rule, by: .account(try context.account), told: word("beat.often"))
    }

    /// What is different for each person stays with her.
    func answer(_ response: Response, _ context: WebContext) -> Response {
        context.person == nil ? response : response.personal
    }
}

extension WebContext {
    /// Whether a moderator asks, whom no suspension holds.
    var isModerator: Bool { person.map { $0.role != .member && $0.isActive } ?? false }
}

extension Track {
    /// Its page, without the prefix.
    package var path: String { Self.path(id) }
    package static func path(_ id: HubID) -> String { "\(BeatDesk.path)/\(id)" }
}
