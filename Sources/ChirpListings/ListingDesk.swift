internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What the board's routes share.
struct ListingDesk: Sendable {
    let desk: BoardDesk
    let store: ListingStore
    /// What maps are made with.
    let ground: MapGround
    /// Looks for what belongs to listings that were placed or changed: a tenth of a second where many are near.
    let errand: Errand

    /// Of pages, without the prefix.
    static let path = "/\(ListingStore.board)"
    /// Of what programs ask.
    static let api = "/api/hub/v1/\(ListingStore.board)"

    /// How often somebody may place listings, see telephone numbers, and send files.
    enum Rule {
        static let placing = RateRule(20, per: 24 * 3600)
        static let calls = RateRule(10, per: 24 * 3600)
        static let files = RateRule(60, per: 3600)
    }

    init(_ desk: BoardDesk, ground: MapGround) {
        self.desk = desk
        self.ground = ground
        store = ListingStore(library: desk.library)
        errand = Errand { await ListingWork(desk).run($0) }
    }

    var links: HubLinks { desk.links }
    var prefix: String { desk.links.prefix }

    /// The one that a path names by `:id`, as the asker sees it.
    ///
    /// - Throws: 404, and ``ItemGone`` for what was there.
    func listing(_ context: WebContext) async throws -> Listing {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noListing }
        switch try await store.listing(id, for: context.viewer) {
        case .listing(let listing): return listing
        case .gone(let state, let since): throw ItemGone(state: state, since: since)
        case nil: throw Problem.noListing
        }
    }

    /// The same, of the asker's own.
    func own(_ context: WebContext) async throws -> Listing {
        let listing = try await listing(context)
        guard listing.item.author.id == (try context.account) else { throw Problem.noListing }
        return listing
    }

    /// A page of the board.
    func show(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok, _ page: (_ token: String?) -> HTML
    ) -> Response { desk.show(request, context, status: status, page).askingWhere }

    /// Goes on to a page of this hub, by reading it.
    func goOn(to path: String) -> Response { desk.goOn(to: path) }

    /// What follows after a listing was placed or changed: after the commit, and by the sweep if this process dies before.
    func changed() async { await errand.arise() }

    /// Takes one of what is limited.
    ///
    /// - Throws: 429 as a ``Problem``.
    func consume(_ what: StaticString, _ rule: RateRule, _ account: AccountID) async throws {
        try await desk.consume(what, rule, by: .account(account), told: word("listing.often"))
    }
}
