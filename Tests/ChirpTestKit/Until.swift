/// Waits until something holds, looking; the limit is generous and only for failures.
///
/// For what tells nobody: files, programs, the other end of a connection. A loop of `Task.yield()` in its place holds a thread of the pool,
/// of which there are as many as processors, and takes it from all other tests and from the very tasks that are waited for. So only
/// the first looks follow each other, for what merely waits for its turn; then there is one a millisecond.
///
/// - Returns: whether it holds. False when the task is cancelled, too.
@discardableResult
public func until(_ limit: Duration = .seconds(300), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    var looks = 0
    while try await !condition() {
        guard !Task.isCancelled, ContinuousClock.now < end else { return false }
        looks += 1
        if looks < 10 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return true
}

/// Waits for the cancellation of the task, and for nothing else.
public func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}
