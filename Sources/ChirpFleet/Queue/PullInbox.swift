internal import ChirpCore

/// Takes messages of one consumer, as many as are asked for; used by one thread at a time.
struct PullInbox: ~Copyable {
    private let connection: NatsHandle
    private let messages: NatsSubscriptionHandle
    private let inbox: String
    private let subject: String
    private var requests = 0

    struct Taken: Sendable {
        var ticket: JobTicket
        var subject: String
        var payload: [UInt8]
    }

    /// Results may hold clips, so a count alone would not bound memory.
    private static let mostBytes = 16 << 20

    /// Looked at in one go.
    private static let mostLeft = 10_000

    private struct Request: Encodable {
        var batch: Int
        var expires: Int64?
        var no_wait: Bool?
        var max_bytes = mostBytes
    }

    init(_ connection: NatsHandle, stream: String, consumer: String) throws(FleetError) {
        self.connection = connection
        inbox = NatsHandle.inbox()
        messages = try NatsSubscriptionHandle("\(inbox).*", of: connection)
        subject = "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)"
    }

    /// Asks for up to so many and takes what comes. Blocking.
    ///
    /// - Parameter wait: how long the servers keep the request open when there is less; zero for what is there now.
    mutating func take(_ count: Int, within wait: Duration) throws(FleetError) -> [Taken] {
        // What came late of an earlier request is held by us all the same.
        var taken = try left(count)
        guard taken.isEmpty else { return taken }
        requests += 1
        let reply = "\(inbox).\(requests)"
        let nanoseconds = Int64(wait / .nanoseconds(1))
        let request = Request(
            batch: count, expires: nanoseconds > 0 ? nanoseconds : nil, no_wait: nanoseconds > 0 ? nil : true)
        try connection.send(NatsLetter(subject: subject, payload: FleetJSON.encode(request), reply: reply))
        // The servers end it; a while longer for when they have died.
        let end = ContinuousClock.now + wait + .seconds(1)
        while taken.count < count {
            let rest = end - ContinuousClock.now
            guard rest > .zero, let message = try messages.next(within: rest) else { break }
            if let job = Self.taken(message) {
                taken.append(job)
            } else if message.subject == reply {
                // 404, 408 or 409: there is no more, or it would be too much at once.
                break
            }
        }
        return taken
    }

    /// What has come meanwhile without being asked for again.
    mutating func left(_ count: Int) throws(FleetError) -> [Taken] {
        var taken: [Taken] = []
        // Others may send what is no message of the queue, without end.
        var rest = Self.mostLeft
        while taken.count < count, rest > 0, let message = try messages.next(within: .zero) {
            rest -= 1
            if let job = Self.taken(message) { taken.append(job) }
        }
        return taken
    }

    private static func taken(_ message: NatsMessage) -> Taken? {
        guard message.status == nil, let ticket = JobTicket(message.reply) else { return nil }
        return Taken(ticket: ticket, subject: message.subject, payload: message.payload)
    }
}
