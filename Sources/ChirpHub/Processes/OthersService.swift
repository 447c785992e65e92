internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFrame
internal import Logging
internal import ServiceLifecycle

/// What one process that serves a library does about what the others write: tells them of its own commits, and has what waits in memory here
/// look again when another has committed.
struct OthersService: Service {
    let library: HubLibrary
    let watch: LibraryWatch
    let uploads: UploadDesk
    let onward: OnwardWork?
    let frames: FrameDesk
    let boards: [Board]
    let signals: HubSignals?
    let clock: any Clock<Duration>
    let logger: Logger

    /// How often it looks by itself. What waits here is not what somebody listens to.
    private static let look = Duration.milliseconds(250)

    func run() async throws {
        let (watch, signals, bell) = (watch, signals, Bell())
        let end = library.committed {
            watch.hint()
            signals?.tell()
        }
        defer { end() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                if let signals {
                    group.addTask {
                        await signals.hear {
                            watch.hint()
                            bell.ring()
                        }
                    }
                }
                group.addTask { await lookOut(bell) }
            }
        }
        // A service that ends would end the hub.
        try? await gracefulShutdown()
    }

    private func lookOut(_ bell: Bell) async {
        var version: Int?
        while !Task.isCancelled {
            do throws(LibraryError) {
                let found = try await library.noticeOthers(since: version)
                if found != version { await lookAgain() }
                version = found
            } catch {
                if error != .cancelled { logger.warning("what others write: \(error.whatHappened)") }
            }
            // No more often, however much others write.
            try? await clock.sleep(for: Self.look)
            if signals?.areComing() == true { try? await bell.wait(.seconds(1), clock) }
        }
    }

    private func lookAgain() async {
        uploads.work.drafts.tellAll()
        do throws(LibraryError) { try await uploads.work.look() } catch {
            if error != .cancelled { logger.warning("what was received: \(error.whatHappened)") }
        }
        onward?.wake()
        frames.lookAgain()
        for board in boards { await board.errand?.arise() }
    }
}
