import ChirpWeb
import Synchronization
import Testing

/// Whoever wants much waits behind themselves.
@Suite struct KeyedSemaphoreTests {
    @Test func `who wants more than its permits waits in its own queue, and others do not`() async throws {
        let semaphore = KeyedSemaphore<String>(permits: 2)
        try await semaphore.acquire("busy")
        try await semaphore.acquire("busy")
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let ready = semaphore.waiting
                group.addTask {
                    try await semaphore.acquire("busy")
                    order.append(number)
                    semaphore.release("busy")
                }
                while semaphore.waiting == ready { await Task.yield() }
            }
            // Nobody of the queue has had a turn, and another has its own at once.
            try await semaphore.acquire("other")
            #expect(order.numbers.isEmpty)
            semaphore.release("other")
            semaphore.release("busy")
            try await group.waitForAll()
        }
        #expect(order.numbers == Array(0..<20))
        semaphore.release("busy")
        #expect(semaphore.count == 0 && semaphore.waiting == 0)
    }

    @Test func `never more have a permit than there are`() async throws {
        let semaphore = KeyedSemaphore<Int>(permits: 3)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    try await semaphore.acquire(7)
                    running.begin()
                    await Task.yield()
                    running.end()
                    semaphore.release(7)
                }
            }
            try await group.waitForAll()
        }
        #expect(running.most <= 3)
        #expect(semaphore.count == 0)
    }

    @Test func `who is cancelled while waiting takes nothing`() async throws {
        let semaphore = KeyedSemaphore<Int>(permits: 1)
        try await semaphore.acquire(7)
        let waiting = Task { try await semaphore.acquire(7) }
        while semaphore.waiting == 0 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await semaphore.acquire(7)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        semaphore.release(7)
        #expect(semaphore.count == 0 && semaphore.waiting == 0)
    }
}

/// In which order something was done.
private final class Order: Sendable {
    private let all = Mutex<[Int]>([])
    var numbers: [Int] { all.withLock { $0 } }

    func append(_ number: Int) { all.withLock { $0.append(number) } }
}

/// How many do something at once.
private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock(\.most) }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}
