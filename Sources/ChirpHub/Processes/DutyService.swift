internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpListening
internal import Logging
internal import ServiceLifecycle

/// What one of several processes does for all of them: the first to come does it, and when that one ends another goes on. All of it is
/// written down before it is done, so it goes on where it was.
struct DutyService: Service {
    let lock: DutyLock
    let services: [any Service]
    /// Of the boards; whoever is not on duty leaves them alone.
    let errands: [Errand]
    let clock: any Clock<Duration>
    let logger: Logger

    /// How often somebody who waits looks whether the one on duty has ended.
    private static let look = Duration.seconds(1)

    func run() async throws {
        for errand in errands { errand.leaveToOthers() }
        await cancelWhenGracefulShutdown { await wait() }
        guard lock.isHeld else {
            // A service that ends would end the hub.
            try? await gracefulShutdown()
            return
        }
        defer { lock.end() }
        logger.info("this process is on duty")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            try await group.waitForAll()
        }
    }

    private func wait() async {
        while !Task.isCancelled {
            do throws(LibraryError) {
                if try lock.take() { return }
            } catch {
                logger.warning("who is on duty cannot be found out: \(error.whatHappened)")
            }
            try? await clock.sleep(for: Self.look)
        }
    }
}

/// Takes over live listening of a process that has ended, before this one is on duty.
struct ListeningDutyService: Service {
    let desk: ListeningDesk
    let logger: Logger

    func run() async throws {
        do throws(LibraryError) { try await desk.takeOver() } catch {
            if error != .cancelled { logger.warning("live listening: \(error.whatHappened)") }
        }
        try? await gracefulShutdown()
    }
}

/// What the hub's owner has done beside it, by the process on duty alone.
struct FurtherDutyService: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        try? await gracefulShutdown()
    }
}
