internal import ChirpCommunity
internal import Logging
internal import ServiceLifecycle

/// Lets suspensions and the hiding by reports end in time, for as long as the server runs.
struct CaseService: Service {
    let library: HubLibrary
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while true {
                do throws(LibraryError) { try await library.settleCases() } catch {
                    logger.warning("looking at cases: \(error.whatHappened)")
                }
                try await ContinuousClock().sleep(for: .seconds(60))
            }
        }
    }
}
