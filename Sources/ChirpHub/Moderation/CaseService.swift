internal import ChirpCommunity
internal import Logging
internal import ServiceLifecycle

/// Lets suspensions and the hiding by reports end in time, for as long as the server runs.
struct CaseService: Service {
    let library: HubLibrary
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(LibraryError) { try await library.settleCases() } catch {
                    if error != .cancelled { logger.warning("looking at cases: \(error.whatHappened)") }
                }
                do { try await clock.sleep(for: .seconds(60)) } catch { return }
            }
        }
    }
}
