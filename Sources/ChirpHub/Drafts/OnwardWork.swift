package import ChirpCommunity
internal import ChirpCore
package import FoundationEssentials
package import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Sends the owner's publications on, one at a time, for as long as the server runs. A try is marked before it begins: what an earlier
/// process had in hand when it died may be there, and is looked for before it is sent again.
package final class OnwardWork: Sendable {
    private struct State {
        var isWanted = false
        var ear: AsyncStream<Void>.Continuation?
    }

    private let library: HubLibrary
    private let publishing: OnwardPublishing
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = Mutex(State())
    /// What was found out of the sign-ins, and when: a process starts for each question.
    private let known = Mutex<(networks: [OnwardPublishing.Linked], until: Date)?>(nil)

    /// Seconds until the library is looked at again when it cannot be.
    private static let pause = 60.0
    private static let memory = 60.0

    package init(
        _ library: HubLibrary, _ publishing: OnwardPublishing, clock: any Clock<Duration>, logger: Logger
    ) {
        self.library = library
        self.publishing = publishing
        self.clock = clock
        self.logger = logger
    }

    /// Where the owner has signed in, as of a minute ago at most.
    package func linked() async -> [OnwardPublishing.Linked] {
        let now = library.now()
        if let known = known.withLock({ $0 }), known.until > now { return known.networks }
        let found = await publishing.linked().filter { OnwardPost.Network(rawValue: $0.network) != nil }
        known.withLock { $0 = (found, now.addingTimeInterval(Self.memory)) }
        return found
    }

    /// There is something to send.
    package func wake() {
        state.withLock { state in
            state.isWanted = true
            state.ear?.yield()
        }
    }

    /// Until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            state.withLock { $0.isWanted = false }
            var next: Date?
            do throws(LibraryError) {
                next = try await sendWhatIsDue()
            } catch {
                logger.warning("what is to go on to other networks waits: \(error.whatHappened)")
                next = library.now().addingTimeInterval(Self.pause)
            }
            await rest(until: next)
        }
    }

    /// - Returns: when there is something to do next; nil when nothing waits.
    package func sendWhatIsDue() async throws(LibraryError) -> Date? {
        while !Task.isCancelled, let first = try await library.onwardWaiting().first {
            guard first.due <= library.now() else { return first.due }
            try await send(first)
        }
        return nil
    }

    private func send(_ post: OnwardPost) async throws(LibraryError) {
        guard try await library.beginOnward(post) else { return }
        let answer = await publishing.publish(
            OnwardPublishing.Order(
                network: post.network.rawValue, words: post.words, page: post.page,
                key: "onward:\(post.post):\(post.network.rawValue)", isRepetition: post.state == .sending))
        let now = library.now()
        switch answer {
        case .posted(let link): try await library.endOnward(post, as: .posted, link: link, due: now)
        case .refused(let why):
            try await library.endOnward(post, as: .failed, why: PlainText(why, limit: 300).value, due: now)
        case .notNow(let why):
            // The server ends; the mark stays, and whoever comes next looks first.
            guard !Task.isCancelled else { return }
            let pause = RetryPause.seconds(afterFailures: post.tries + 1)
            let isLast = post.tries + 1 >= OnwardPost.mostTries
            try await library.endOnward(
                post, as: isLast ? .failed : .sending, why: PlainText(why, limit: 300).value,
                due: now.addingTimeInterval(pause))
        }
    }

    private func rest(until due: Date?) async {
        let (signals, ear) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isWanted = state.withLock { state in
            state.ear = ear
            return state.isWanted
        }
        guard !isWanted else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            if let due {
                let wait = max(1, due.timeIntervalSince(library.now()))
                group.addTask { [clock] in try? await clock.sleep(for: .seconds(wait)) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Sends on for as long as the server runs.
struct OnwardService: Service {
    let work: OnwardWork

    func run() async throws { await cancelWhenGracefulShutdown { await work.run() } }
}
