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
    /// Between two pieces, so that whoever writes meanwhile mostly finds nobody before her.
    private static let breath = Duration.milliseconds(100)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rest = Self.pause
            while !Task.isCancelled {
                do { try await clock.sleep(for: rest) } catch { return }
                rest = Self.pause
                do throws(LibraryError) { if try await library.mergeWords() { rest = Self.breath } } catch {
                    if error != .cancelled { logger.warning("words stay in many parts: \(error.whatHappened)") }
                }
            }
        }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }
}
