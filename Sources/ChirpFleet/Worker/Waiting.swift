internal import Dispatch
internal import Synchronization

/// Waits on this thread for something asynchronous. Only on a thread of one's own, as `offPool` gives it: the pool has few, and
/// one of them has to do what is waited for.
func waiting<T: Sendable, F: Error>(for body: @escaping @Sendable () async throws(F) -> T) throws(F) -> T {
    let answer = Answer<Result<T, F>>()
    Task {
        do throws(F) { answer.come(.success(try await body())) } catch { answer.come(.failure(error)) }
    }
    return try answer.wait().get()
}

/// What one thread waits for.
private final class Answer<T: Sendable>: Sendable {
    private let value = Mutex<T?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func come(_ value: T) {
        self.value.withLock { $0 = value }
        isThere.signal()
    }

    func wait() -> T {
        isThere.wait()
        guard let value = value.withLock({ $0 }) else { preconditionFailure("signalled before it was there") }
        return value
    }
}
