internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// What members send, put together: the addresses, and what takes it in meanwhile.
struct UploadService: Sendable {
    /// Where uploads are sent.
    static let path = "/api/uploads"

    let desk: UploadDesk
    private let links: HubLinks
    private let clock: any Clock<Duration>
    private let hasIntake: Bool

    init(
        _ library: HubLibrary, _ links: HubLinks, _ quota: ByteCount, _ intake: ClipIntake?,
        films: FilmIntake? = nil, tracks: TrackMaking? = nil,
        trackLimits: TrackLimits = TrackLimits(), clock: any Clock<Duration>, logger: Logger,
        onFilm: @escaping @Sendable () async -> Void = {}
    ) {
        self.links = links
        self.clock = clock
        hasIntake = intake != nil
        let none = ClipIntake { _ throws(ClipIntake.Failure) in throw .unable("this server takes nothing in") }
        let work = MediaWork(
            library: library, quota: quota, intake: intake ?? none, films: films, tracks: tracks,
            trackLimits: trackLimits, clock: clock,
            logger: logger, onFilm: onFilm)
        desk = UploadDesk(library: library, quota: quota, work: work)
    }

    var services: [any Service] { hasIntake ? [MediaService(work: desk.work)] : [] }

    /// How far something is that an account has sent; nil when it has not.
    @Sendable func medium(_ id: String, _ owner: AccountID) async throws -> ClientStatusRoutes.Medium? {
        guard let id = HubID(id), let item = try await desk.library.mediaItem(id, of: owner) else { return nil }
        if let clip = item.clip { return .ready(clip) }
        if item.state == .ready { return .refused(why: "This is no sound") }
        return item.state == .refused ? .refused(why: item.why ?? "This cannot be used") : .pending
    }

    var routes: [WebRoute] {
        TusRoutes(desk: desk, path: Self.path, prefix: links.prefix, scope: "write:media", clock: clock).routes
            + UploadRoutes(desk: desk).routes + ClientMediaRoutes(desk: desk, links: links).routes
            + FilmRoutes(library: desk.library, links: links).routes
    }
}

/// Takes in for as long as the server runs.
private struct MediaService: Service {
    let work: MediaWork

    func run() async throws { try await cancelWhenGracefulShutdown { try await work.run() } }
}
