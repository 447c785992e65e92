internal import ChirpPlaces
internal import ServiceLifecycle

/// Has the names of places made ready, where that takes seconds, before somebody asks for one.
struct PlaceService: Service {
    let gazetteer: Gazetteer
    let clock: any Clock<Duration>

    /// Not while the hub starts, and not at all for one that ends at once; who asks before has it made then.
    private static let delay = Duration.seconds(30)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await clock.sleep(for: Self.delay)) != nil else { return }
            gazetteer.prepare()
        }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
