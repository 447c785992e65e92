internal import ChirpCommunity
internal import ChirpCore
internal import Logging
internal import ServiceLifecycle

/// Keeps the index of words in few parts, so that whoever writes an item does not have to.
struct WordService: Service {
    let library: HubLibrary
    let clock: any Clock<Duration>
    let logger: Logger

    private static let pause = Duration.seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await clock.sleep(for: Self.pause) } catch { return }
                do throws(LibraryError) { try await library.mergeWords() } catch {
                    if error != .cancelled { logger.warning("words stay in many parts: \(error.whatHappened)") }
                }
            }
        }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
