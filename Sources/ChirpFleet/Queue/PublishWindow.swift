internal import ChirpCore

/// Publishes many messages and takes what the queue says about each of them: a bounded number is on the way at any time.
///
/// A message of which nothing is heard is sent again under the same id, so it is stored once.
package struct PublishWindow: ~Copyable {
    private let connection: NatsHandle
    private let answers: NatsSubscriptionHandle
    private let inbox: String
    private let patience: Duration
    /// Grows with every message, so that a late answer is not taken for another's.
    private var next = 0

    /// On the way at once. The servers answer in rounds, three of which fit a round trip of a few milliseconds.
    private static let mostMessages = 1024
    private static let mostBytes = 8 << 20
    /// Silence after which messages are sent again.
    private static let silence = Duration.seconds(3)

    init(_ connection: NatsHandle, patience: Duration) throws(FleetError) {
        self.connection = connection
        self.patience = patience
        inbox = NatsHandle.inbox()
        answers = try NatsSubscriptionHandle("\(inbox).*", of: connection)
    }

    /// Returns when all are stored, with the outcomes in the same order. Blocking.
    ///
    /// - Parameter letter: makes the message for a place; asked again when it has to be sent again.
    mutating func publish(
        _ count: Int, _ letter: (Int) -> NatsLetter
    ) throws(FleetError) -> [PublishOutcome] {
        let first = next
        next += count
        var outcomes = [PublishOutcome?](repeating: nil, count: count)
        var waiting: [Int: Int] = [:]
        var bytes = 0
        var sent = 0
        // From before the first message until an answer has come.
        var heard = ContinuousClock.now
        var isAgain = Set<Int>()

        func send(_ index: Int) throws(FleetError) -> Int {
            var letter = letter(index)
            letter.reply = "\(inbox).\(first + index)"
            try connection.send(letter)
            return letter.payload.count
        }
        while sent < count || !waiting.isEmpty {
            while sent < count, waiting.count < Self.mostMessages, bytes < Self.mostBytes {
                let size = try send(sent)
                waiting[sent] = size
                bytes += size
                sent += 1
            }
            if Task.isCancelled { throw .cancelled }
            let message = try answers.next(within: Self.silence)
            // Also when much comes that is no answer.
            guard ContinuousClock.now - heard < patience else {
                throw .noQueue("\(waiting.count) messages were not confirmed within \(patience)")
            }
            guard let message else {
                for index in waiting.keys.sorted() {
                    isAgain.insert(index)
                    _ = try send(index)
                }
                continue
            }
            guard let index = Self.index(message.subject, from: first), let size = waiting[index] else { continue }
            // Nobody is there to store it at the moment; silence leads to the next try.
            if message.status != nil { continue }
            guard let outcome = try outcome(message, wasSentAgain: isAgain.contains(index)) else { continue }
            heard = ContinuousClock.now
            outcomes[index] = outcome
            waiting[index] = nil
            bytes -= size
        }
        return outcomes.compactMap(\.self)
    }

    /// The place of the message that an answer is for; nil for a subject that nobody here has given: anybody who may publish can
    /// send to an inbox.
    package static func index(_ subject: String, from first: Int) -> Int? {
        guard let number = subject.split(separator: ".").last.flatMap({ Int($0) }), number >= first else { return nil }
        return number - first
    }

    /// Nil when the queue cannot take it at the moment.
    private func outcome(_ message: NatsMessage, wasSentAgain: Bool) throws(FleetError) -> PublishOutcome? {
        guard let answer = FleetJSON.decode(PublishAnswer.self, from: message.payload) else { return nil }
        guard let refusal = answer.error else {
            // The first copy is the one that is known.
            return answer.duplicate == true && !wasSentAgain ? .known : .stored
        }
        // 10077 carries the store's own words.
        if refusal.description?.contains("per subject exceeded") == true { return .present }
        if refusal.code == 503, refusal.err_code != 10077 { return nil }
        throw .refused(code: refusal.err_code ?? refusal.code, reason: refusal.description ?? "publishing")
    }
}

/// What the queue says to a message that was published.
struct PublishAnswer: Decodable {
    var error: JetStream.Refusal?
    /// Its id is one of the last two minutes.
    var duplicate: Bool?
}

/// What has become of a message that was to be stored.
enum PublishOutcome: Hashable, Sendable {
    case stored
    /// One with the same id came within the last two minutes, whether or not it is still there.
    case known
    /// One is still there under the same subject.
    case present
}
