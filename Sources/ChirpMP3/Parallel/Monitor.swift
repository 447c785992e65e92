internal import Glibc

/// State that threads share: one lock, and one condition for all changes.
final class Monitor<State>: @unchecked Sendable {  // Proof: `state` is touched only with the lock held.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Looks at the state, or changes it; with a change, all who wait look again.
    func access<R>(isChange: Bool = true, _ body: (inout State) -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&state)
        if isChange { pthread_cond_broadcast(condition) }
        return result
    }

    /// Waits until `body` has an answer. With a change, all who wait look again.
    func wait<R>(isChange: Bool = true, _ body: (inout State) -> R?) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) {
                if isChange { pthread_cond_broadcast(condition) }
                return result
            }
            pthread_cond_wait(condition, mutex)
        }
    }
}
