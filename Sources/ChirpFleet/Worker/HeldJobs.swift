internal import Synchronization

/// The jobs that a worker holds at the moment, so that it can say that it still does.
final class HeldJobs: Sendable {
    private let tickets = Mutex<Set<JobTicket>>([])

    var all: Set<JobTicket> { tickets.withLock { $0 } }
    func insert(_ ticket: JobTicket) { tickets.withLock { _ = $0.insert(ticket) } }
    func remove(_ ticket: JobTicket) { tickets.withLock { _ = $0.remove(ticket) } }
}
