internal import CNats

/// Messages of a subject, taken one after the other by one thread at a time: `natsSubscription`.
struct NatsSubscriptionHandle: ~Copyable {
    let raw: OpaquePointer
    /// What senders answer to.
    let subject: String

    init(_ subject: String, of connection: NatsHandle) throws(FleetError) {
        raw = try connection.subscribe(subject)
        self.subject = subject
    }

    deinit { natsSubscription_Destroy(raw) }

    /// The next message; nil when none comes in time. Blocking.
    func next(within time: Duration) throws(FleetError) -> NatsMessage? {
        var message: OpaquePointer?
        let status = natsSubscription_NextMsg(&message, raw, time > .zero ? max(1, Int64(time / .milliseconds(1))) : 0)
        if let message, status == NATS_OK { return NatsMessage(consuming: message) }
        switch status {
        case NATS_TIMEOUT: return nil
        // What was lost is asked for again by those who count: nothing relies on a message arriving.
        case NATS_SLOW_CONSUMER: return nil
        default: throw .library(String(cString: natsStatus_GetText(status)))
        }
    }
}
