package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
package import Logging
internal import ServiceLifecycle

/// Tells a WebSub hub of the public feeds that have changed: of each once, some seconds after the first change.
///
/// What the hub has taken is marked then, so one that is killed in between tells it again: the hub asks for a feed once more, and finds
/// nothing new.
package struct FeedAnnouncer: Sendable {
    /// Seconds from the first change until the hub is told: what changes in between is told with it.
    static let gathering = 5.0
    /// Seconds after which what could not be told is given up. Programs find what is new without a hub too, only later.
    static let patience = 48 * 3600.0
    /// The most seconds that the loop sleeps. What another process posts rings no bell here.
    static let rest = 10.0

    private let library: HubLibrary
    private let links: HubLinks
    private let sender: WebSubSender
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let bell = Bell()

    /// - Parameter clock: what waiting is measured with.
    package init(
        library: HubLibrary, links: HubLinks, sender: WebSubSender, clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        (self.library, self.links, self.sender, self.clock, self.logger) = (library, links, sender, clock, logger)
    }

    /// Tells what is due, and returns when nothing is.
    package func round() async {
        do throws(LibraryError) {
            try await library.scheduleChangedFeeds(after: Self.gathering)
            while let feed = try await library.dueChangedFeed() {
                let outcome = await sender.tell(of: feed.address(links))
                guard try await settle(feed, outcome) else { return }
            }
        } catch {
            if error != .cancelled {
                logger.warning("which feeds have changed cannot be looked at: \(error.whatHappened)")
            }
        }
    }

    /// Tells whenever something is due, until cancelled.
    package func run() async throws {
        // Whoever posts or deletes knows nothing of hubs elsewhere.
        let endWatching = library.feedsChanged { [bell] in bell.ring() }
        defer { endWatching() }
        while true {
            await round()
            let next = (try? await library.nextChangedFeed()) ?? nil
            // A clock that was set back must not keep anything for longer.
            let pause = min(Self.rest, max(1, next.map { $0.timeIntervalSince(library.now()) } ?? Self.rest))
            try await bell.wait(.seconds(pause), clock)
        }
    }

    /// - Returns: whether to go on.
    private func settle(_ feed: ChangedFeed, _ outcome: WebSubSender.Outcome) async throws(LibraryError) -> Bool {
        switch outcome {
        case .cancelled: return false
        case .taken: try await library.changedFeedTold(feed)
        case .refused(let reason): try await fail(feed, reason, after: 0, holdsOthers: false)
        case .later(let reason, let after):
            try await fail(feed, reason, after: after.map { Double($0.components.seconds) } ?? 0, holdsOthers: true)
        }
        return true
    }

    private func fail(
        _ feed: ChangedFeed, _ reason: String, after asked: Double, holdsOthers: Bool
    ) async throws(LibraryError) {
        let now = library.now()
        let pause = min(max(RetryPause.seconds(afterFailures: feed.tries + 1), asked), RetryPause.longest)
        logger.info("the WebSub hub is told of \(feed.address(links)) later: \(reason)")
        let lost = try await library.changedFeedFailed(
            feed, next: now.addingTimeInterval(pause), holdsOthers: holdsOthers,
            givingUp: now.addingTimeInterval(-Self.patience))
        guard lost > 0 else { return }
        logger.warning("the WebSub hub was not told of \(lost) changed feeds within two days: \(reason)")
    }
}

/// Tells the WebSub hub for as long as the server runs. What is left then is told after the next start.
struct FeedAnnouncerService: Service {
    let announcer: FeedAnnouncer

    func run() async throws { try await cancelWhenGracefulShutdown { try await announcer.run() } }
}
