internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

extension HubApplication {
    /// The boards of this hub.
    func boards(_ desk: AccountDesk, _ links: HubLinks, _ stock: PictureStock) -> [Board] {
        let shared = BoardDesk(
            library: library, links: links, forgery: desk.forgery, limits: desk.limits, policy: desk.entrance.policy,
            gazetteer: gazetteer, takePicture: stock.forBoards, takeClip: takeClip, logger: logger)
        return Boards.all(shared, ground: mapGround(links), named: settings.boards) + furtherBoards(shared)
    }

    /// Names of the greatest places in a part of the earth.
    var mapLabels: MapRoutes.Labels {
        { [gazetteer] box, limit in
            let places = try? await gazetteer?.greatest(in: box, limit: limit)
            return (places ?? []).map { MapLabel(point: $0.point, text: $0.name, weight: Double($0.people)) }
        }
    }

    /// Nil where nobody makes clips.
    private var takeClip: (@Sendable ([UInt8], String, AccountID) async throws -> HubID)? {
        guard let intake else { return nil }
        let sounds = BoardSounds(library: library, intake: intake, quota: settings.quotaPerAccount)
        return { try await sounds.take($0, title: $1, of: $2) }
    }
}
