internal import ChirpCore
internal import ChirpJournal

/// Where a worker takes jobs, one at a time; used by one thread.
package struct JobInbox: ~Copyable {
    private let queue: JobQueue
    private var inbox: PullInbox

    package init(_ queue: JobQueue) throws(FleetError) {
        self.queue = queue
        inbox = try PullInbox(queue.connection, stream: QueueNames.jobs, consumer: QueueNames.workers)
    }

    package struct Arrival: Sendable {
        package let ticket: JobTicket
        let payload: [UInt8]
        /// Nil for what is no job.
        package let job: FleetJob?
    }

    /// The next job; nil when there is none in time. Blocking.
    package mutating func next(within wait: Duration) throws(FleetError) -> Arrival? {
        guard let taken = try inbox.take(1, within: wait).first else { return nil }
        return Self.arrival(taken)
    }

    /// What came too late for the last call.
    package mutating func left() throws(FleetError) -> [Arrival] { try inbox.left(16).map(Self.arrival) }

    private static func arrival(_ taken: PullInbox.Taken) -> Arrival {
        let job = FleetJSON.decode(FleetJob.self, from: taken.payload)
        // Where the result goes is read from the record, so it must be the record of that subject.
        let isIts = job.map { taken.subject == QueueNames.job($0.id, of: $0.batch) } ?? false
        return Arrival(ticket: taken.ticket, payload: taken.payload, job: isIts ? job : nil)
    }
}

// What becomes of a job that a worker holds. Each may be said by any thread.
extension JobQueue {
    /// It is being worked on: nobody else shall have it.
    package func keep(_ ticket: JobTicket) throws(FleetError) {
        try connection.send(NatsLetter(subject: ticket.reply, payload: Array("+WPI".utf8)))
    }

    /// Somebody shall try it again after a while.
    package func giveBack(_ ticket: JobTicket, after pause: Duration) throws(FleetError) {
        let words = pause > .zero ? "-NAK {\"delay\": \(Int64(pause / .nanoseconds(1)))}" : "-NAK"
        try connection.send(NatsLetter(subject: ticket.reply, payload: Array(words.utf8)))
    }

    /// Stores the result, then lets the job go: in this order, so that one of them is always there. Blocking.
    package func finish(_ ticket: JobTicket, _ result: FleetResult) throws(FleetError) {
        try store(
            NatsLetter(
                subject: QueueNames.result(result.id, of: result.batch), payload: FleetJSON.encode(result),
                headers: [("Nats-Msg-Id", "\(result.id).\(ticket.sequence).\(ticket.delivery)")]))
        try end(ticket, "+ACK")
    }

    /// Puts a job aside for people to look at, with the reason, and tells its batch. Blocking.
    package func bury(
        _ arrival: JobInbox.Arrival, reason: String, by worker: String, telling result: FleetResult?
    ) throws(FleetError) {
        let ticket = arrival.ticket
        let (id, batch) = arrival.job.map { ($0.id, $0.batch) } ?? (JobID(rawValue: "\(ticket.sequence)"), "unreadable")
        try store(
            NatsLetter(
                subject: QueueNames.dead(id, of: batch), payload: arrival.payload,
                headers: [
                    ("Nats-Msg-Id", "\(id).\(ticket.sequence)"), ("Chirp-Worker", worker),
                    ("Chirp-Deliveries", "\(ticket.delivery)"), ("Chirp-Reason", PlainText(reason, limit: 500).value),
                ]))
        if let result { return try finish(ticket, result) }
        try end(ticket, "+TERM")
    }

    /// Returns when it is stored; repeated under the same id it is stored once.
    func store(_ letter: NatsLetter) throws(FleetError) {
        let end = ContinuousClock.now + settings.patience
        while true {
            if let answer = try connection.ask(letter, within: .seconds(2)), answer.status == nil,
                let words = FleetJSON.decode(PublishAnswer.self, from: answer.payload)
            {
                guard let refusal = words.error else { return }
                guard refusal.code == 503 else {
                    throw .refused(code: refusal.err_code ?? refusal.code, reason: refusal.description ?? "a result")
                }
            }
            guard ContinuousClock.now < end else { throw .noQueue("a result was not confirmed") }
            try Wait.nap(.milliseconds(200))
        }
    }

    /// The queue says that it has heard; asked again it says the same. When nobody answers the job comes again.
    private func end(_ ticket: JobTicket, _ words: String) throws(FleetError) {
        let letter = NatsLetter(subject: ticket.reply, payload: Array(words.utf8))
        for _ in 0..<5 where try connection.ask(letter, within: .seconds(2)) == nil { continue }
    }
}
