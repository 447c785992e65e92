internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import Logging

/// What the process on duty does for a library all the time, so that nobody who writes has to wait for it.
struct LibraryUpkeep: Sendable {
    let library: HubLibrary
    /// What this does changes nothing of it.
    let content: ContentVersion
    let clock: any Clock<Duration>
    let logger: Logger

    var services: [ErrandService] { [checkpoints, words].map { ErrandService(errand: $0) } }

    /// Moves what was committed from the log into the library's file.
    private var checkpoints: Errand {
        .repeating(clock: clock) { [self] _ in
            await trying("the log cannot be moved") { () throws(LibraryError) in try await library.checkpoint() }
            return .seconds(2)
        }
    }

    /// Keeps the index of words in few parts.
    private var words: Errand {
        .repeating(clock: clock) { [self] _ in
            let isMore = await trying("words stay in many parts") { () throws(LibraryError) in
                try await library.mergeWords(content)
            }
            // Between two pieces whoever writes meanwhile mostly finds nobody before her.
            return isMore == true ? .milliseconds(100) : .seconds(1)
        }
    }

    @discardableResult
    private func trying<Done>(
        _ what: String, _ work: () async throws(LibraryError) -> Done
    ) async -> Done? {
        do throws(LibraryError) { return try await work() } catch {
            if error != .cancelled { logger.warning("\(what): \(error.whatHappened)") }
            return nil
        }
    }
}
