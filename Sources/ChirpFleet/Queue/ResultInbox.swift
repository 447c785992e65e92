/// The results of one batch, in the order in which they came; used by one thread at a time.
package struct ResultInbox: ~Copyable {
    private let queue: JobQueue
    private let consumer: String
    private var inbox: PullInbox

    package struct Arrival: Sendable {
        let ticket: JobTicket
        /// It was handed to this batch before, which then did not say what became of it.
        package var cameBefore: Bool { ticket.delivery > 1 }
        /// Nil for what is no result. Its ``FleetResult/defect`` is not looked at yet.
        package let result: FleetResult?
    }

    init(_ queue: JobQueue, consumer: String) throws(FleetError) {
        self.queue = queue
        self.consumer = consumer
        inbox = try PullInbox(queue.connection, stream: QueueNames.results, consumer: consumer)
    }

    /// Up to so many; zero waits for nothing. Blocking.
    package mutating func take(_ count: Int, within wait: Duration) throws(FleetError) -> [Arrival] {
        try inbox.take(count, within: wait).map { taken in
            let result = FleetJSON.decode(FleetResult.self, from: taken.payload)
            return Arrival(ticket: taken.ticket, result: result?.v == FleetJob.version ? result : nil)
        }
    }

    /// The journal knows these: they leave the queue. One whose word is lost comes again.
    package func confirm(_ arrivals: [Arrival]) throws(FleetError) {
        for arrival in arrivals {
            try queue.connection.send(NatsLetter(subject: arrival.ticket.reply, payload: Array("+ACK".utf8)))
        }
    }

    /// When no results are waited for any more.
    package consuming func close() {
        queue.connection.flush(within: .seconds(5))
        queue.forgetConsumer(consumer)
    }
}
