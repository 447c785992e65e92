package import ChirpCore

/// Checks passwords, two at once: each takes a processor and 46 MiB for some ten milliseconds. Others wait, at most two
/// seconds, so that many sign-ins take neither the machine's memory nor the listeners' time. One holder has ``places`` at once, those that wait
/// among them: with right passwords too, which nothing else counts before they are compared, nobody fills the queue of all.
package struct PasswordDesk: Sendable {
    package static let width = 2
    package static let patience = Duration.seconds(2)
    package static let places = 4

    private let semaphore = AsyncSemaphore(width: Self.width)
    private let held = HolderPlaces(most: Self.places)
    private let cost: PasswordCost
    private let clock: any Clock<Duration>
    /// What a password is compared with where there is no account, so that the answer takes as long as with one: of this cost,
    /// and of no password. Checking computes it in full before it compares.
    package let nobody: PasswordHash

    package init(cost: PasswordCost = .usual, clock: any Clock<Duration> = ContinuousClock()) {
        self.cost = cost
        self.clock = clock
        let (salt, hash) = (String(repeating: "A", count: 22), String(repeating: "A", count: 43))
        nobody = PasswordHash(stored: "$argon2id$v=19$m=\(cost.memory / 1024),t=\(cost.passes),p=1$\(salt)$\(hash)")
    }

    /// - Parameter holder: who asks; nil: nobody from outside.
    /// - Throws: ``AccountError/refused(_:_:)``, ``AccountError/busy``.
    package func hash(_ password: Secret, for holder: LimitHolder? = nil) async throws(AccountError) -> PasswordHash {
        let cost = cost
        return try await turn(of: holder) { () throws(AccountError) in try PasswordHash(of: password, cost: cost) }
    }

    /// Whether a password is right; also how its hash should be kept from now on, when that has changed.
    ///
    /// - Parameters:
    ///   - hash: nil where there is none: then the answer is no, and takes as long.
    ///   - holder: who asks; nil: nobody from outside.
    /// - Throws: ``AccountError/busy``.
    package func check(
        _ password: Secret, against hash: PasswordHash?, for holder: LimitHolder? = nil
    ) async throws(AccountError) -> (isRight: Bool, renewed: PasswordHash?) {
        let (cost, nobody) = (cost, nobody)
        return try await turn(of: holder) { () throws(AccountError) in
            guard let hash else {
                _ = nobody.matches(password)
                return (false, nil)
            }
            guard hash.matches(password) else { return (false, nil) }
            return (true, hash.isOutdated(for: cost) ? try PasswordHash(of: password, cost: cost) : nil)
        }
    }

    private func turn<R: Sendable>(
        of holder: LimitHolder?, _ work: @escaping @Sendable () throws(AccountError) -> R
    ) async throws(AccountError) -> R {
        if let holder, !held.enter(holder) { throw .busy }
        defer { if let holder { held.leave(holder) } }
        guard await enter() else { throw .busy }
        defer { semaphore.leave() }
        return try await offPool(work)
    }

    /// A place, or false after ``patience``.
    private func enter() async -> Bool {
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask { [semaphore] in await semaphore.enter() }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The place may have come at the same moment.
            for await other in group where other == true { semaphore.leave() }
            return false
        }
    }
}
