import ChirpBoards
import Synchronization
import Testing

/// What boards do after their answers.
@Suite struct ErrandTests {
    @Test func `without somebody who does it, it is done at once`() async {
        let count = Mutex(0)
        let errand = Errand { _ in count.withLock { $0 += 1 } }
        await errand.arise()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `what is left to another process is not done here, until this one does it`() async {
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let count = Mutex(0)
        let errand = Errand { _ in
            count.withLock { $0 += 1 }
            begins.yield()
        }
        errand.leaveToOthers()
        await errand.arise()
        #expect(count.withLock { $0 } == 0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await errand.serve() }
            var turns = begun.makeAsyncIterator()
            await turns.next()
            group.cancelAll()
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `after each piece a service rests three times as long, and whoever waits for it does not`() async {
        let clock = SteppedClock()
        let done = Mutex(0)
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let errand = Errand(clock: clock) { pace in
            for _ in 0..<2 { try? await pace.piece { done.withLock { $0 += 1 } } }
            turn.yield()
        }
        await errand.arise()
        #expect(done.withLock { $0 } == 2)
        #expect(clock.rests.withLock { $0 } == [])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await errand.serve() }
            var finished = turns.makeAsyncIterator()
            for _ in 0..<2 { await finished.next() }
            group.cancelAll()
        }
        #expect(clock.rests.withLock { $0 } == [.milliseconds(30), .milliseconds(30)])
    }

    @Test func `a service does what is left and what comes, after the answer`() async {
        let (begun, begins) = AsyncStream<Int>.makeStream()
        let (goes, go) = AsyncStream<Void>.makeStream()
        let count = Mutex(0)
        let errand = Errand { _ in
            begins.yield(
                count.withLock {
                    $0 += 1; return $0
                })
            // Held up here until the test says so: who asks meanwhile does not wait for it.
            for await _ in goes { return }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await errand.serve() }
            var turns = begun.makeAsyncIterator()
            #expect(await turns.next() == 1)
            // Three that come while it works are one more turn.
            for _ in 0..<3 { await errand.arise() }
            go.yield()
            #expect(await turns.next() == 2)
            go.yield()
            await errand.arise()
            #expect(await turns.next() == 3)
            group.cancelAll()
            go.finish()
        }
        // Nobody does it any longer.
        let before = count.withLock { $0 }
        await errand.arise()
        #expect(count.withLock { $0 } == before + 1)
    }

    @Test func `what failed is done again after the time that it says, though nothing comes`() async {
        let clock = SteppedClock()
        let count = Mutex(0)
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let errand = Errand.repeating(clock: clock) { _ in
            defer { turn.yield() }
            return count.withLock {
                $0 += 1
                return $0 == 1 ? .seconds(60) : nil
            }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await errand.serve() }
            var finished = turns.makeAsyncIterator()
            for _ in 0..<2 { await finished.next() }
            group.cancelAll()
        }
        #expect(count.withLock { $0 } == 2)
        #expect(clock.rests.withLock { $0 } == [.seconds(60)])
    }
}

/// A clock that goes on by ten milliseconds whenever it is looked at, and on which nobody waits.
private final class SteppedClock: Clock {
    let rests = Mutex<[Duration]>([])
    private let looks = Mutex(ContinuousClock.now)
    let minimumResolution = Duration.nanoseconds(1)

    var now: ContinuousClock.Instant {
        looks.withLock {
            $0 += .milliseconds(10)
            return $0
        }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let now = looks.withLock { $0 }
        rests.withLock { $0.append(now.duration(to: deadline)) }
    }
}
