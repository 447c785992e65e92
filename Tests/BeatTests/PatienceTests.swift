import ChirpBeats
import ChirpTestKit
import Testing

/// A page waits for others' answers for a moment alone (AR-8, AR-14).
struct PatienceTests {
    /// A clock that stands still: who sleeps by it wakes when she is cancelled.
    private struct StandingClock: Clock {
        let now = ContinuousClock.now
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { await forever() }
    }

    private static func forever() async {
        let (silence, end) = AsyncStream.makeStream(of: Void.self)
        for await _ in silence {}
        end.finish()
    }

    @Test func `what is answered in time is the answer`() async {
        #expect(await Patience(StandingClock()).shortly { 7 } == 7)
    }

    @Test func `what takes longer is given up, and ends`() async {
        let hasEnded = Mutexed(false)
        let answer = await Patience(InstantClock()).shortly {
            await Self.forever()
            hasEnded.change { $0 = true }
            return 7
        }
        #expect(answer == nil && hasEnded.value)
    }
}
