internal import ChirpAccounts
internal import ChirpBeats
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import ServiceLifecycle

extension HubApplication {
    /// The boards of this hub.
    func boards(
        _ desk: AccountDesk, _ links: HubLinks, _ stock: PictureStock, _ boardFilms: BoardFilms,
        _ sales: SaleDesk
    ) -> [Board] {
        let shared = BoardDesk(
            library: library, links: links, forgery: desk.forgery, limits: desk.limits, policy: desk.entrance.policy,
            gazetteer: gazetteer, takePicture: stock.forBoards, takeClip: takeClip, logger: logger, hearing: hearing,
            announcing: announcing, voice: voice, takeFilm: takeFilm(boardFilms), tracks: trackDesk(boardFilms))
        return Boards.all(
            shared, ground: mapGround(links), named: settings.boards, stakes: settings.stakes, sales: sales)
            + furtherBoards(shared)
    }

    /// Names of the greatest places in a part of the earth.
    var mapLabels: MapRoutes.Labels {
        { [gazetteer] box, limit in await gazetteer?.labels(in: box, limit: limit) ?? [] }
    }

    /// Nil where nobody reads films.
    private func takeFilm(_ films: BoardFilms) -> (@Sendable (SentFile, AccountID) async throws -> HubID)? {
        guard self.films != nil else { return nil }
        return { try await films.take($0, of: $1) }
    }

    /// Nil where nobody listens to tracks.
    private func trackDesk(_ films: BoardFilms) -> TrackDesk? {
        guard let tracks else { return nil }
        return TrackDesk(limits: settings.tracks, checkStems: tracks.checkStems, tagging: tracks.tagging) {
            try await films.take(track: $0, named: $1, of: $2)
        }
    }

    /// Nil where nobody makes clips.
    private var takeClip: (@Sendable (SentFile, String, AccountID) async throws -> HubID)? {
        guard let intake else { return nil }
        let sounds = BoardSounds(library: library, intake: intake, quota: settings.quotaPerAccount)
        return { try await sounds.take($0, title: $1, of: $2) }
    }
}

/// Does what boards leave for after their answers.
struct ErrandService: Service {
    let errand: Errand

    func run() async throws {
        await cancelWhenGracefulShutdown { await errand.serve() }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
