import ChirpBoards
import Synchronization
import Testing

/// What boards do after their answers.
@Suite struct ErrandTests {
    @Test func `without somebody who does it, it is done at once`() async {
        let count = Mutex(0)
        let errand = Errand { count.withLock { $0 += 1 } }
        await errand.arise()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `a service does what is left and what comes, after the answer`() async {
        let (begun, begins) = AsyncStream<Int>.makeStream()
        let (goes, go) = AsyncStream<Void>.makeStream()
        let count = Mutex(0)
        let errand = Errand {
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
}
