internal import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
package import ChirpWeb
package import GRDB

/// What other parts, such as licences, deals and payment, add to the board: addresses, sections of a track's page, and reasons why a work has to
/// stay. The hub puts them together; the board itself sells nothing.
package struct BeatParts: Sendable {
    /// Addresses of theirs, all below the board's. They come before the board's own, so one without a parameter wins over `/beats/:id`.
    package var routes: @Sendable (BeatDesk) -> [WebRoute] = { _ in [] }
    /// What stands in a track's page beside the track itself, in this order.
    package var sections: [TrackPart] = []
    /// Asked within the transaction that would take a track out of the shop: why its work has to stay, as a sentence without its full stop in
    /// the asker's language; nil: it need not.
    package var hold: @Sendable (_ work: HubID, _ database: Database) throws -> String? = { _, _ in nil }
    /// What is done every hour beside the board's own sweep.
    package var sweeps: [@Sendable (BeatDesk) async -> Void] = []
    /// What is done after somebody has changed something.
    package var errands: [@Sendable (BeatDesk, Pace) async -> Void] = []
    /// After how long errands are done again though nothing has come; nil: not by themselves.
    package var again: Duration?
    /// What else stands in somebody's profile, for who looks at it.
    package var profiles: [@Sendable (PostAuthor, Viewer, BeatDesk) async throws -> HTML] = []
    /// Further ways among those at the top of every page: address below the board, and name in the visitor's language. For who is signed in.
    package var ways: [(path: String, name: @Sendable () -> String)] = []

    package init() {}
}

/// Something in a track's page that another part gives.
package struct TrackPart: Sendable {
    package enum Place: Sendable {
        /// Beside the player, before everything that is told of the track: what it costs and how it is bought.
        case offer
        /// Among the buttons.
        case acts
        /// A section of its own, before the comments.
        case section
    }

    package let place: Place
    /// Nothing where there is nothing to show.
    package let html: @Sendable (Track, TrackView, BeatDesk) async throws -> HTML

    package init(
        _ place: Place, _ html: @escaping @Sendable (Track, TrackView, BeatDesk) async throws -> HTML
    ) { (self.place, self.html) = (place, html) }
}

/// Who looks at a track's page.
package struct TrackView: Sendable {
    package let viewer: Viewer
    /// Nil for a visitor.
    package let person: Person?
    /// Of the page's forms; nil for a visitor.
    package let token: String?
    package let isAuthor: Bool
    package let isModerator: Bool
}
