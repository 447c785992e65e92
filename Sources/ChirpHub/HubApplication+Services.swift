internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpFrame
internal import ChirpListening
internal import ChirpWeb
internal import Logging
internal import ServiceLifecycle

/// What runs beside the answers.
extension HubApplication {
    /// Whoever serves a library alone runs all of it; of several processes each runs what is for those who speak to it, and one the duties.
    func services(_ parts: Parts) -> [any Service] {
        let own = ownServices(parts)
        guard let duty else { return own + duties(parts) }
        return own + [
            OthersService(
                library: library, watch: parts.watch, uploads: parts.uploads.desk, onward: parts.onward,
                frames: parts.frames, boards: parts.boards, signals: signals, clock: clock, logger: logger),
            DutyService(
                lock: duty,
                services: [ListeningDutyService(desk: parts.listening, logger: logger)] + duties(parts),
                errands: parts.boards.compactMap(\.errand), clock: clock, logger: logger),
        ]
    }

    /// For those who are connected to this process, and what it counts.
    private func ownServices(_ parts: Parts) -> [any Service] {
        let services: [any Service] = [
            LibraryWatchService(watch: parts.watch),
            FeedService(feeds: [parts.events.feed, parts.streams.everybody, parts.streams.homes]),
            ListeningService(desk: parts.listening),
            UsageService(book: parts.usage.book, clock: clock) { [logger] error in
                logger.warning("writing how much the hub is used: \(error.whatHappened)")
            },
        ]
        return services + (gazetteer.map { [PlaceService(gazetteer: $0, clock: clock)] } ?? [])
    }

    /// What is done once for a library: twice would send, fetch or make twice.
    private func duties(_ parts: Parts) -> [any Service] {
        let desk = parts.desk
        var services: [any Service] = [
            PostmanService(postman: desk.postman),
            CaseService(library: library, clock: clock, logger: logger),
            FrameService(desk: parts.frames),
            SweepService(library: library, limits: desk.limits, clock: clock, logger: logger, boards: parts.boards),
        ]
        services += LibraryUpkeep(library: library, content: parts.content, clock: clock, logger: logger).services
        services += parts.boards.compactMap(\.errand).map { ErrandService(errand: $0) }
        services += parts.uploads.services
        services += parts.onward.map { [OnwardService(work: $0)] } ?? []
        services += transcriptServices + announcingServices(parts.links)
        services += parts.push.office.map { [PushCourierService(courier: $0.courier)] } ?? []
        services += parts.fediverse.map { [DeliveryService(desk: $0.deliveries)] } ?? []
        services += parts.fediverse?.clips.map { [RemoteClipService(desk: $0)] } ?? []
        return services + furtherDuties.map { FurtherDutyService(work: $0) }
    }
}

/// Watches for as long as the server runs.
private struct LibraryWatchService: Service {
    let watch: LibraryWatch

    func run() async throws { try await cancelWhenGracefulShutdown { try await watch.run() } }
}

/// Drives live listening for as long as the server runs.
private struct ListeningService: Service {
    let desk: ListeningDesk

    func run() async throws { await cancelWhenGracefulShutdown { await desk.run() } }
}

/// Delivers for as long as the server runs.
private struct FeedService: Service {
    let feeds: [EventFeed]

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { await feed.run() } }
        }
    }
}
