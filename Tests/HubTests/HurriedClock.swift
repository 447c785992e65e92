import ChirpTestKit

/// A clock on which every wait is over at once, but for a millisecond: what waits again and again would otherwise hold a thread of the
/// pool for itself (``until(_:_:)``).
struct HurriedClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// A clock on which no wait is ever over.
struct StoppedClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: .seconds(1_000_000))
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
