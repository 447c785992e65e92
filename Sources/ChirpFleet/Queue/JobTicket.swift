/// A message that is held: whoever holds it must say what becomes of it, or go on saying that it is worked on.
package struct JobTicket: Hashable, Sendable {
    /// Where to say so.
    let reply: String
    /// How often it was handed out, this time included; from 1.
    package let delivery: Int
    /// Its place in the stream.
    let sequence: Int
    /// How many wait behind it.
    let pending: Int

    /// How often a job can have been handed out: every second for thirty years.
    static let deliveries = 1...1_000_000_000

    /// From the subject to answer to: `$JS.ACK.STREAM.CONSUMER.delivered.sequence.consumerSequence.time.pending`, with a
    /// domain and an account before the stream in newer servers (ADR-15 of nats-architecture-and-design).
    ///
    /// - Returns: nil for any other subject, and for numbers that cannot be.
    init?(_ reply: String?) {
        guard let reply, reply.hasPrefix("$JS.ACK.") else { return nil }
        let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 9 || parts.count >= 11 else { return nil }
        let numbers = parts[(parts.count == 9 ? 4 : 6)...]
        guard numbers.count >= 5 else { return nil }
        let base = numbers.startIndex
        // Anybody who may publish can send such a subject.
        guard let delivery = Int(numbers[base]), Self.deliveries.contains(delivery),
            let sequence = Int(numbers[base + 1]), sequence >= 1, let pending = Int(numbers[base + 4]), pending >= 0
        else { return nil }
        self.reply = reply
        self.delivery = delivery
        self.sequence = sequence
        self.pending = pending
    }
}
