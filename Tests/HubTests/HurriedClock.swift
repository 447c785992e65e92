import ChirpTestKit

/// A clock on which every wait is over at once.
struct HurriedClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A clock that is right until it is told to hurry; from then on every wait is over at once.
final class PatientClock: Clock {
    private let hurries = Mutexed(false)
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func hurry() { hurries.change { $0 = true } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if hurries.value { return try await HurriedClock().sleep(until: deadline, tolerance: tolerance) }
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
