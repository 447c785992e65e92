import ChirpCore
import ChirpStores
import Synchronization
import Testing

/// Only so many at once, and nobody is forgotten.
@Suite struct AsyncSemaphoreTests {
    /// Something that counts who is inside.
    private final class Room: Sendable {
        private let state = Mutex((inside: 0, most: 0, total: 0))
        var most: Int { state.withLock { $0.most } }
        var total: Int { state.withLock { $0.total } }

        func visit(by turnstile: AsyncSemaphore) async {
            guard await turnstile.enter() else { return }
            defer { turnstile.leave() }
            state.withLock { state in
                state.inside += 1
                state.total += 1
                state.most = max(state.most, state.inside)
            }
            for _ in 0..<20 { await Task.yield() }
            state.withLock { $0.inside -= 1 }
        }
    }

    @Test func `as many as it says are let in at once`() async {
        let (room, turnstile) = (Room(), AsyncSemaphore(width: 3))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await room.visit(by: turnstile) } }
        }
        #expect(room.total == 50)
        #expect(room.most <= 3)
    }

    @Test func `waiting ends with the task, and the others still get in`() async {
        let (room, turnstile) = (Room(), AsyncSemaphore(width: 1))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let task = Task { await room.visit(by: turnstile) }
                    if index.isMultiple(of: 2) { task.cancel() }
                    await task.value
                }
            }
        }
        #expect(room.most == 1)
        #expect(room.total >= 20)
        await room.visit(by: turnstile)  // the place was given back
        #expect(room.total >= 21)
    }
}
