internal import ServiceLifecycle

/// Sends letters for as long as the server runs. What is left then is sent after the next start.
struct PostmanService: Service {
    let postman: Postman

    func run() async throws { try await cancelWhenGracefulShutdown { try await postman.run() } }
}
