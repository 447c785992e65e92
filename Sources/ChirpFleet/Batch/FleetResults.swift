internal import ChirpCore
internal import Synchronization

/// The results of a batch, for the tasks of its run: one at a time looks into the inbox.
final class FleetResults: Sendable {
    private let inbox: Mutex<ResultInbox?>

    init(_ inbox: consuming sending ResultInbox) { self.inbox = Mutex(inbox) }

    func take(_ count: Int, within wait: Duration) throws(FleetError) -> [ResultInbox.Arrival] {
        try inbox.withLock { (inbox) throws(FleetError) in try inbox?.take(count, within: wait) ?? [] }
    }

    func confirm(_ arrivals: [ResultInbox.Arrival]) throws(FleetError) {
        try inbox.withLock { (inbox) throws(FleetError) in try inbox?.confirm(arrivals) }
    }

    func close() async {
        await offPool {
            inbox.withLock { inbox in
                if let open = inbox.take() { open.close() }
            }
        }
    }
}
