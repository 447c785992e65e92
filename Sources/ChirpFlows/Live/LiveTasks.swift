internal import ChirpJournal

/// The tasks of a listening session, so that none outlives it.
struct LiveTasks {
    var watches: [Task<Void, Never>] = []
    var fetches: [PlayID: Task<Void, Never>] = [:]
    var turn: Task<Void, Never>?
    /// Short ones.
    var others: [Task<Void, Never>] = []
    private var alarm: (time: Duration, task: Task<Void, Never>)?

    /// Lets the session look again at a time, and not at the one that was asked for before.
    mutating func wake(
        at time: Duration?, _ ports: LivePorts, _ messages: AsyncStream<LiveSession.Message>.Continuation
    ) {
        if others.count > 20 { others.removeFirst(others.count - 20) }
        guard time != alarm?.time else { return }
        alarm?.task.cancel()
        alarm = time.map { time in
            let task = Task {
                await ports.sleep(max(.zero, time - ports.uptime()))
                if !Task.isCancelled { messages.yield(.input(.tick)) }
            }
            return (time, task)
        }
    }

    /// Cancels everything and waits until it has ended.
    func end() async {
        let tasks = watches + fetches.values + others + [turn, alarm?.task].compactMap { $0 }
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }
}
