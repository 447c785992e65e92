internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import FoundationEssentials
internal import Logging
internal import ServiceLifecycle

/// Removes what has had its time, when the server starts and every hour: expired clips, members' clips that were never posted, uploads
/// that were given up, files of accounts that were deleted, and what limits remember.
struct SweepService: Service {
    let library: HubLibrary
    let limits: RateLimits
    let clock: any Clock<Duration>
    let logger: Logger
    var boards: [Board] = []

    /// Seconds between two sweeps by the clock on the wall, which is what things end by.
    static let pause = 3600.0
    /// How often that clock is looked at: a machine that slept sweeps soon after.
    private static let look = Duration.seconds(60)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last: Date?
            while !Task.isCancelled {
                let now = library.now()
                // A clock that was set back must not put the next one off.
                if last.map({ abs(now.timeIntervalSince($0)) >= Self.pause }) ?? true {
                    last = now
                    await sweep(at: now)
                }
                do { try await clock.sleep(for: Self.look) } catch { return }
            }
        }
    }

    /// One failure does not keep the others from being swept.
    func sweep(at now: Date) async {
        do throws(LibraryError) {
            let report = try await library.sweep(at: now)
            let count = report.clips.count + report.unheard + report.uploads + report.strays
            if count > 0 {
                logger.info(
                    """
                    swept: \(report.clips.count) expired clips, \(report.unheard) never posted, \(report.uploads) uploads, \
                    \(report.strays) files
                    """)
            }
        } catch {
            if error != .cancelled { logger.warning("the library cannot be swept: \(error.whatHappened)") }
        }
        do throws(AccountError) { try await limits.sweep() } catch {
            if error != .cancelled { logger.warning("limits cannot be swept: \(error.whatHappened)") }
        }
        for board in boards { await board.sweep() }
    }
}
