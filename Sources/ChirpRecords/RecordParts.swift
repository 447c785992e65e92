internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Logging

/// The parts that the board is put together of: each gives its addresses, and what of it stands in a challenge's page.
enum RecordParts {
    /// Every address, group by group. Those whose path has no parameter where others have one come first.
    static func routes(_ desk: RecordDesk) -> [WebRoute] {
        [
            FeedRoutes(desk: desk).routes,
            MapPageRoutes(desk: desk).routes,
            IntroductionRoutes(desk: desk).routes,
            AnnouncingRoutes(desk: desk).routes,
            OwnRoutes(desk: desk).routes,
            stakeRoutes(desk),
            queueRoutes(desk),
            attemptRoutes(desk),
            CreateRoutes(desk: desk).routes,
            ChallengeRoutes(desk: desk).routes,
            ChallengeActRoutes(desk: desk).routes,
            ModerationRoutes(desk: desk).routes,
            tryRoutes(desk),
            desk.feeds.routes,
        ].flatMap { $0 }
    }

    /// What stands in a challenge's page beside the challenge itself, in this order.
    static func sections(_ desk: RecordDesk) -> [ChallengePart] { [stakeSection(desk)] }

    static func attempts(_ desk: BoardDesk) -> AttemptStore {
        AttemptStore(library: desk.library, gazetteer: desk.gazetteer)
    }

    /// What is done every hour.
    static func sweeps(_ desk: RecordDesk) -> [@Sendable () async -> Void] {
        [
            {
                do {
                    let count = try await desk.attempts.sweep(at: desk.now)
                    if count > 0 { desk.desk.logger.info("challenges: \(count) attempts were not sent whole in time") }
                } catch { desk.desk.logger.warning("attempts cannot be swept: \(error)") }
            },
            stakeSweep(desk),
            { await desk.errand.arise() },
            {
                do { _ = try await TryCodes(library: desk.desk.library).sweep(at: desk.now) } catch {
                    desk.desk.logger.warning("codes of attempts cannot be swept: \(error)")
                }
            },
        ]
    }
}

/// Something in a challenge's page that another part of the board gives.
struct ChallengePart: Sendable {
    enum Place { case acts, section }

    /// Among the buttons under the rule, or a section of its own below.
    let place: Place
    /// Nothing where there is nothing to show.
    let html: @Sendable (Challenge, ChallengeView) async throws -> HTML
}

/// Who looks at a challenge's page.
struct ChallengeView: Sendable {
    let viewer: Viewer
    /// Nil for a visitor.
    let person: Person?
    /// Of the page's forms; nil for a visitor.
    let token: String?
    let isSetter: Bool
    let isModerator: Bool
}
