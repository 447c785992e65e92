package import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials
package import Logging
internal import Synchronization

/// Sends the letters that wait in the outbox: right after the act that wrote one, and again after failures.
///
/// A letter is marked as sent once it was taken, so a hub that is killed in between sends it again under the same id and never
/// loses it.
package struct Postman: Sendable {
    /// How long a letter is tried, in seconds.
    static let patience = 3 * 24 * 3600.0
    /// How long the loop sleeps when nothing waits; the sweep is done that often.
    static let rest = 3600.0

    private let accounts: Accounts
    private let post: any LetterPost
    private let publicURL: String
    private let from: String?
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let bell = Bell()
    private let loop = Loop()

    /// Whether the letters are sent by a loop of this process.
    private final class Loop: Sendable {
        private let count = Mutex(0)
        var isRunning: Bool { count.withLock { $0 > 0 } }
        func begin() { count.withLock { $0 += 1 } }
        func end() { count.withLock { $0 -= 1 } }
    }

    /// - Parameters:
    ///   - publicURL: what links begin with.
    ///   - from: the hub's own address; nil makes one of the public URL.
    ///   - now: the clock on the wall, which says whose turn it is.
    ///   - clock: what waiting is measured with.
    package init(
        accounts: Accounts, post: any LetterPost, publicURL: String, from: String? = nil,
        now: @escaping @Sendable () -> Date, clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.accounts = accounts
        self.post = post
        self.publicURL = publicURL
        self.from = from
        self.now = now
        self.clock = clock
        self.logger = logger
    }

    /// An act has written a letter. Where a loop sends the letters nobody waits for it: the time of an answer would tell whether something
    /// was sent. Where none does, as in a command, it lies in the folder when this returns.
    package func lettersWait() async {
        guard post.isAtHand, !loop.isRunning else { return bell.ring() }
        await round()
    }

    /// Tries every letter whose turn it is, once.
    package func round() async {
        do throws(AccountError) {
            while true {
                let letters = try await accounts.waitingLetters()
                for letter in letters {
                    guard try await send(letter) else { return }
                }
                if letters.isEmpty { return }
            }
        } catch {
            if error != .cancelled { logger.warning("letters cannot be looked at: \(error.whatHappened)") }
        }
    }

    /// - Returns: whether to go on with the next one.
    private func send(_ waiting: WaitingLetter) async throws(AccountError) -> Bool {
        do throws(PostFailure) {
            try await post.send(LetterMessage(waiting, publicURL: publicURL, from: from))
        } catch {
            return try await failed(waiting, error)
        }
        try await accounts.letterEnded(waiting.id, wasSent: true)
        return true
    }

    private func failed(_ waiting: WaitingLetter, _ failure: PostFailure) async throws(AccountError) -> Bool {
        let now = now()
        let isOld = now.timeIntervalSince(waiting.created) >= Self.patience
        switch failure {
        case .cancelled: return false
        case .later(let reason) where !isOld, .letterLater(let reason) where !isOld:
            logger.warning("a letter (\(waiting.letter.kind)) waits: \(reason)")
            var isEverybodys = false
            if case .later = failure { isEverybodys = true }
            try await accounts.letterFailed(
                waiting.id, next: now.addingTimeInterval(Self.pause(after: waiting.tries)), all: isEverybodys)
            return !isEverybodys
        case .later(let reason), .letterLater(let reason), .refused(let reason):
            logger.error("a letter (\(waiting.letter.kind)) was given up: \(reason)")
            try await accounts.letterEnded(waiting.id, wasSent: false)
            return true
        }
    }

    /// Seconds until a letter is tried again. Links live half an hour, so the first pauses are short.
    static func pause(after tries: Int) -> Double {
        let pauses = [30.0, 60, 180, 300, 600, 1800, 3600]
        return tries < pauses.count ? pauses[max(0, tries)] : 2 * 3600
    }

    /// Goes round whenever a letter's turn comes, until cancelled.
    package func run() async throws {
        // Letters about notices are written by whoever posts, follows or likes, and none of these knows of letters.
        let endWatching = accounts.lettersChanged { [bell] in bell.ring() }
        loop.begin()
        defer {
            endWatching()
            loop.end()
        }
        while true {
            await round()
            await sweep()
            let next = (try? await accounts.nextLetter()) ?? nil
            // A clock that was set back must not keep letters for longer.
            let pause = min(Self.rest, max(1, next.map { $0.timeIntervalSince(now()) } ?? Self.rest))
            try await bell.wait(.seconds(pause), clock)
        }
    }

    /// Removes what has had its time.
    package func sweep() async {
        do throws(AccountError) {
            try await accounts.sweepLetters()
            try await accounts.sweepUnconfirmed()
        } catch {
            if error != .cancelled { logger.warning("accounts cannot be swept: \(error.whatHappened)") }
        }
    }
}
