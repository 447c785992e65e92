import ChirpDatabase
import ChirpTestKit
import Synchronization
import Testing

@Suite struct DatabaseThreadsTests {
    @Test func `what runs on them knows it, and what does not, too`() async {
        let threads = DatabaseThreads(most: 2)
        #expect(!threads.isCurrent)
        await withTaskExecutorPreference(threads) {
            #expect(threads.isCurrent)
            // Parts of a task are where the task is; a task of its own is elsewhere.
            async let part = threads.isCurrent
            #expect(await part)
            #expect(await !Task { threads.isCurrent }.value)
        }
        #expect(!threads.isCurrent)
        #expect(!DatabaseThreads(most: 1).isCurrent)
    }

    @Test func `so many wait at once as there are threads, and the others after them`() async {
        let threads = DatabaseThreads(most: 3)
        let counts = Kept((now: 0, most: 0, done: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5000 {
                group.addTask(executorPreference: threads) {
                    counts.value.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    counts.value.withLock {
                        $0.now -= 1
                        $0.done += 1
                    }
                }
            }
        }
        let (_, most, done) = counts.value.withLock { $0 }
        #expect(done == 5000)
        #expect((1...3).contains(most))
    }

    @Test func `one thread does what came first first`() async {
        let threads = DatabaseThreads(most: 1)
        let order = Kept<[Int]>([])
        var tasks: [Task<Void, Never>] = []
        for number in 0..<2500 {
            tasks.append(Task(executorPreference: threads) { order.value.withLock { $0.append(number) } })
        }
        for task in tasks { await task.value }
        #expect(order.value.withLock { $0 } == Array(0..<2500))
    }

    @Test func `nothing stays when nobody has them any more`() async {
        weak var gone: DatabaseThreads?
        do {
            let threads = DatabaseThreads(most: 2)
            gone = threads
            let sum = await withTaskExecutorPreference(threads) { (1...10).reduce(0, +) }
            #expect(sum == 55)
        }
        #expect(await until { gone == nil })
    }
}

/// What several tasks change.
private final class Kept<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}
