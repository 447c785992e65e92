internal import ChirpCommunity
internal import ChirpCore
internal import Logging
internal import ServiceLifecycle

/// Moves what was committed into the library's file every few seconds, which otherwise a commit does that somebody waits for.
struct CheckpointService: Service {
    let library: HubLibrary
    let clock: any Clock<Duration>
    let logger: Logger

    private static let pause = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await clock.sleep(for: Self.pause) } catch { return }
                do throws(LibraryError) { try await library.checkpoint() } catch {
                    if error != .cancelled { logger.warning("the log cannot be moved: \(error.whatHappened)") }
                }
            }
        }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
