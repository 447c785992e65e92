package import ChirpCommunity
internal import ChirpCore
package import ChirpPush
internal import FoundationEssentials
package import Logging
internal import ServiceLifecycle

/// Tells browsers what waits for them in the tables: right after the act that wrote it down, and again after failures.
///
/// What was told is marked once the browser's service has it, so a hub that is killed in between tells it again, under the same topic
/// and tag: it is shown once.
package struct PushCourier: Sendable {
    /// How long something is news, in seconds; later it is found on the page of notices alone.
    static let news = 24 * 3600.0
    /// How often one thing is tried.
    static let mostTries = 8
    /// How many services are asked at once. Some of them are strangers' and answer slowly on purpose.
    static let atOnce = 8
    /// How long the loop sleeps when nothing waits, in seconds; the sweep is done that often.
    static let rest = 3600.0

    private let library: HubLibrary
    private let sender: PushSender
    private let host: String
    private let allowsLoopback: Bool
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let bell = Bell()

    /// - Parameters:
    ///   - host: of the hub, as its reader sees it.
    ///   - allowsLoopback: services on this machine too, for tests.
    ///   - clock: what waiting is measured with.
    package init(
        library: HubLibrary, sender: PushSender, host: String, allowsLoopback: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.library = library
        self.sender = sender
        self.host = host
        self.allowsLoopback = allowsLoopback
        self.clock = clock
        self.logger = logger
    }

    /// Tells each browser whose turn it is, until none is left.
    package func round() async {
        do throws(LibraryError) {
            try await library.sweepPushes(olderThan: Self.news)
            while true {
                let waiting = try await library.waitingPushes()
                if waiting.isEmpty { return }
                for outcome in await tell(waiting) {
                    guard try await settle(outcome.push, outcome.outcome) else { return }
                }
            }
        } catch {
            if error != .cancelled {
                logger.warning("what browsers are told cannot be looked at: \(error.whatHappened)")
            }
        }
    }

    /// Goes round whenever something waits, until cancelled.
    package func run() async throws {
        // Whoever posts, follows or likes knows nothing of browsers.
        let endWatching = library.pushesChanged { [bell] in bell.ring() }
        defer { endWatching() }
        while true {
            await round()
            let next = (try? await library.nextPush()) ?? nil
            // A clock that was set back must not keep anything for longer.
            let pause = min(Self.rest, max(1, next.map { $0.timeIntervalSince(library.now()) } ?? Self.rest))
            try await bell.wait(.seconds(pause), clock)
        }
    }

    private typealias Told = (push: Push, outcome: PushSender.Outcome)

    private func tell(_ waiting: [Push]) async -> [Told] {
        await withTaskGroup(of: Told.self) { group in
            var (told, rest) = ([Told](), waiting[...])
            for push in rest.prefix(Self.atOnce) { group.addTask { (push, await self.outcome(push)) } }
            rest = rest.dropFirst(Self.atOnce)
            while let one = await group.next() {
                told.append(one)
                if let push = rest.popFirst() { group.addTask { (push, await self.outcome(push)) } }
            }
            return told
        }
    }

    private func outcome(_ push: Push) async -> PushSender.Outcome {
        let browser = push.browser
        let subscription: PushSubscription
        do throws(PushSubscriptionFault) {
            subscription = try PushSubscription(
                endpoint: browser.endpoint, key: browser.key, secret: browser.secret, allowsLoopback: allowsLoopback)
        } catch {
            return .gone("it cannot be a browser's")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let content = try? encoder.encode(PushWords(push, host: host)) else {
            return .refused("it cannot be written")
        }
        let left = Self.news - library.now().timeIntervalSince(push.created)
        let message = PushMessage(
            Array(content), cause: push.cause, lifetime: Int(clamping: max(0, min(left, Self.news))),
            urgency: PushWords.urgency(push))
        return await sender.send(message, to: subscription)
    }

    /// - Returns: whether to go on.
    private func settle(_ push: Push, _ outcome: PushSender.Outcome) async throws(LibraryError) -> Bool {
        switch outcome {
        case .cancelled: return false
        case .taken: try await library.pushEnded(push.id, wasSent: true)
        case .gone(let reason):
            logger.info("a browser is told nothing any more: \(reason)")
            try await library.pushBrowserGone(push.browser)
        case .refused(let reason):
            logger.warning("a browser was not told: \(reason)")
            try await library.pushEnded(push.id, wasSent: false)
        case .later(let reason, _) where push.tries + 1 >= Self.mostTries:
            logger.warning("a browser was not told: \(reason)")
            try await library.pushEnded(push.id, wasSent: false)
        case .later(let reason, let after):
            logger.info("a browser is told later: \(reason)")
            let pause = max(Self.pause(after: push.tries), after.map { Double($0.components.seconds) } ?? 0)
            try await library.pushFailed(push, next: library.now().addingTimeInterval(pause))
        }
        return true
    }

    /// Seconds until something is tried again.
    static func pause(after tries: Int) -> Double {
        let pauses: [Double] = [30, 120, 600, 1800, 3600, 2 * 3600]
        return tries < pauses.count ? pauses[max(0, tries)] : 4 * 3600
    }
}

/// Tells browsers for as long as the server runs. What is left then is told after the next start.
struct PushCourierService: Service {
    let courier: PushCourier

    func run() async throws { try await cancelWhenGracefulShutdown { try await courier.run() } }
}
