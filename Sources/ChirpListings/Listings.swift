package import ChirpBoards
package import ChirpCommunity
package import ChirpMap
internal import ChirpWeb
internal import Logging

/// The board Lost & Found.
package enum Listings {
    /// The board over a hub.
    package static func board(_ desk: BoardDesk, ground: MapGround) -> Board {
        let listings = ListingDesk(desk, ground: ground)
        return Board(
            name: ListingStore.board, title: { word("listing.board") }, routes: routes(listings),
            sweep: { for sweep in sweeps(listings) { await sweep() } }, errand: listings.errand,
            profile: { try await listings.profile(of: $0, for: $1) })
    }

    /// What the board keeps in a library.
    package static let tables = BoardTables(
        name: ListingStore.board, steps: ListingSchema.steps + ListingParts.steps
    ) { person, database in
        try ListingExport.documents(of: person, in: database) + ListingParts.documents(of: person, in: database)
    }

    /// Every address, group by group. Those whose path has no parameter where others have one come first.
    static func routes(_ desk: ListingDesk) -> [WebRoute] {
        [
            SearchRoutes(desk: desk).routes,
            PlacingRoutes(desk: desk).routes,
            OwnListingRoutes(desk: desk).routes,
            ListingRoutes(desk: desk).routes,
            ListingActRoutes(desk: desk).routes,
            ClaimRoutes(desk).routes,
            ConversationRoutes(desk).routes,
            MatchRoutes(desk).routes,
            AlertRoutes(desk).routes,
            desk.feeds.routes,
            PosterRoutes(desk).routes,
        ].flatMap { $0 }
    }

    /// What stands in a listing's page beside the listing itself, in this order.
    static func parts(_ desk: ListingDesk) -> [ListingPart] {
        [ClaimPart(desk).part, ConversationPart(desk).part, MatchPart(desk).part, PosterPart(desk).part]
    }

    /// What is done every hour.
    static func sweeps(_ desk: ListingDesk) -> [@Sendable () async -> Void] {
        [
            {
                do {
                    let report = try await desk.store.sweep(at: desk.desk.library.now())
                    if report != .init() {
                        desk.desk.logger.info(
                            "listings: \(report.expired) ended, \(report.told) authors told of an end")
                    }
                } catch {
                    desk.desk.logger.warning("listings cannot be swept: \(error)")
                }
            },
            { await ListingWork(desk.desk).sweep() },
            {
                let claims = ClaimStore(library: desk.desk.library)
                do { try await claims.sweep(links: desk.links, under: desk.desk.policy) } catch {
                    desk.desk.logger.warning("claims cannot be swept: \(error)")
                }
            },
        ]
    }
}

/// Something in a listing's page that another part of the board gives.
struct ListingPart: Sendable {
    enum Place { case acts, section, own }

    /// Among the buttons under the text; a section of its own below; among what the author alone sees.
    let place: Place
    /// Nothing where there is nothing to show.
    let html: @Sendable (Listing, ListingView) async throws -> HTML
}

/// Who looks at a listing's page.
struct ListingView: Sendable {
    let viewer: Viewer
    /// Nil for a visitor.
    let person: Person?
    /// Of the page's forms; nil for a visitor.
    let token: String?
    let isAuthor: Bool
}
