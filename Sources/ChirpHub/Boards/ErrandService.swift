internal import ChirpBoards
internal import ServiceLifecycle

/// Does what boards leave for after their answers.
struct ErrandService: Service {
    let errand: Errand

    func run() async throws {
        await cancelWhenGracefulShutdown { await errand.serve() }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
