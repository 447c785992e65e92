import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Synchronization
import Testing

/// W-9: errands beside the thread that gives them out.
struct ErrandCrewTests {
    @Test(arguments: 0...3)
    func `every errand is run once`(threads: Int) throws {
        let runs = Mutex([Int](repeating: 0, count: 100))
        let crew = try ErrandCrew(threads: threads)
        for index in 0..<100 { crew.run { _ in runs.withLock { $0[index] += 1 } } }
        crew.finish()
        #expect(runs.withLock { $0 } == [Int](repeating: 1, count: 100))
    }

    @Test func `one long errand lets the others go on in their order`() throws {
        let order = Mutex<[Int]>([])
        let isBlocked = Atomic(true)
        let crew = try ErrandCrew(threads: 1)
        let isRunning = Atomic(false)
        crew.run { isUnwanted in
            isRunning.store(true, ordering: .relaxed)
            while isBlocked.load(ordering: .relaxed), !isUnwanted() {}
        }
        while !isRunning.load(ordering: .relaxed) {}
        for index in 0..<50 { crew.run { _ in order.withLock { $0.append(index) } } }
        // At most one may wait behind the long one: the caller has run the rest.
        let done = order.withLock { $0 }
        #expect(done.count >= 48)
        #expect(done == Array(0..<done.count))
        isBlocked.store(false, ordering: .relaxed)
        crew.finish()
        #expect(order.withLock { $0.sorted() } == Array(0..<50))
    }

    @Test func `errands under way learn that nobody waits any more`() throws {
        let isOver = Atomic(false)
        let isRunning = Atomic(false)
        let crew = try ErrandCrew(threads: 1)
        crew.run { isUnwanted in
            isRunning.store(true, ordering: .relaxed)
            while !isUnwanted() {}
            isOver.store(true, ordering: .relaxed)
        }
        while !isRunning.load(ordering: .relaxed) {}
        _ = consume crew
        let hasLearnt = isOver.load(ordering: .relaxed)
        #expect(hasLearnt)
    }
}
