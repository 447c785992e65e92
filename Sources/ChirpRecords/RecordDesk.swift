internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging

/// What the board's routes share.
struct RecordDesk: Sendable {
    let desk: BoardDesk
    /// What maps are made with.
    let ground: MapGround
    let challenges: ChallengeStore
    let attempts: AttemptStore
    let holds: HoldStore
    let verifiers: Verifiers
    let visits: VisitStore
    /// Pledges, if the hub's owner has switched them on.
    let stakes: StakeStore
    /// Tells people of broken records and of events that begin, after the answer.
    let errand: Errand
    /// Nil: this machine has no voice.
    let spokenCodes: SpokenCodes?

    /// Of pages, without the prefix.
    static let path = "/\(Records.board)"
    /// Of what programs ask.
    static let api = "/api/hub/v1/\(Records.board)"

    /// How often somebody may set challenges, and send files for them.
    enum Rate {
        static let setting = RateRule(20, per: 24 * 3600)
        static let files = RateRule(60, per: 3600)
    }

    init(_ desk: BoardDesk, ground: MapGround, stakes: StakeLimits = .off) {
        self.desk = desk
        self.ground = ground
        challenges = ChallengeStore(library: desk.library)
        attempts = RecordParts.attempts(desk)
        holds = HoldStore(library: desk.library)
        verifiers = Verifiers(library: desk.library)
        visits = VisitStore(library: desk.library)
        spokenCodes = desk.voice.map(SpokenCodes.init)
        self.stakes = StakeStore(library: desk.library, limits: stakes)
        let media = AttemptMediaWork(attempts, hearing: desk.hearing)
        let announcements = RecordAnnouncements(
            library: desk.library, publicURL: desk.links.publicURL, announcing: desk.announcing, takeClip: desk.takeClip
        )
        errand = .repeating { [news = RecordNews(library: desk.library), desk] pace in
            do { try await media.run(pace) } catch {
                if !Task.isCancelled { desk.logger.warning("attempts are not looked at yet: \(error)") }
            }
            // What fails here fails for a while: another process has the library, or the disk is full.
            var again: Duration?
            do { try await news.tell(at: desk.library.now()) } catch {
                // A hub that ends leaves it to the next one.
                if !Task.isCancelled { desk.logger.warning("news of records are not told yet: \(error)") }
                again = Self.afterFailure
            }
            do {
                try await announcements.announce(at: desk.library.now())
                let wait = try await announcements.wait(at: desk.library.now())
                again = [again, wait].compactMap { $0 }.min()
            } catch {
                if !Task.isCancelled { desk.logger.warning("records are not announced yet: \(error)") }
                again = Self.afterFailure
            }
            return again
        }
    }

    private static let afterFailure = Duration.seconds(60)

    var links: HubLinks { desk.links }
    var prefix: String { desk.links.prefix }
    var now: Date { desk.library.now() }

    var comments: BoardComments { BoardComments(desk, board: Records.board, frame: frame) }
    var votes: BoardVotes { BoardVotes(desk, board: Records.board, frame: frame) }

    private var frame: @Sendable (_ title: String, _ body: HTML, _ token: String?) -> HTML {
        { [links] title, body, token in RecordLayout(links: links, token: token).page(title: title, body: body) }
    }

    /// The one that a path names by `:id`, as the asker sees it.
    ///
    /// - Throws: 404, and ``ItemGone`` for what was there.
    func challenge(_ context: WebContext) async throws -> Challenge {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.noChallenge }
        switch try await challenges.challenge(id, for: context.viewer) {
        case .challenge(let challenge): return challenge
        case .gone(let state, let since): throw ItemGone(state: state, since: since)
        case nil: throw Problem.noChallenge
        }
    }

    /// The same, for its setter and for moderators.
    func manageable(_ context: WebContext) async throws -> Challenge {
        let challenge = try await challenge(context)
        guard challenge.item.author.id == (try context.account) || context.isModerator else {
            throw Problem.noChallenge
        }
        return challenge
    }

    /// A page of the board.
    func show(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok, _ page: (_ token: String?) -> HTML
    ) -> Response { desk.show(request, context, status: status, page).askingWhere }

    /// Goes on to a page of this hub, by reading it.
    func goOn(to path: String) -> Response { desk.goOn(to: path) }

    /// Takes one of what is limited.
    ///
    /// - Throws: 429 as a ``Problem``.
    func consume(_ what: StaticString, _ rule: RateRule, _ account: AccountID) async throws {
        try await desk.consume(what, rule, by: .account(account), told: word("challenge.often"))
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

extension Challenge {
    /// Its page, without the prefix.
    var path: String { "\(RecordDesk.path)/\(id)" }
    /// Where it is tried, and what was tried.
    var tryPath: String { "\(path)/try" }
}

extension Attempt {
    /// Its page, without the prefix.
    static func path(_ id: HubID) -> String { "\(RecordDesk.path)/attempts/\(id)" }
    var path: String { Self.path(id) }
}
