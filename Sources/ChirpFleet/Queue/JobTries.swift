/// What has become of the earlier tries of a job, as the workers that had it have told.
///
/// A server counts how often it hands a job out, but not why. Workers hold several jobs at once, and when one dies all of them are
/// handed out again. So tries that ended with a reason are told, and what was told of nobody may be blamed for.
package struct JobTries: Hashable, Sendable {
    /// One that is told.
    package enum Kind: String, CaseIterable, Sendable {
        /// It failed for what may pass.
        case fault
        /// Making it ended the process that did it, and the worker lived on.
        case crash
        /// It was about to begin while the worker held nothing else; told before.
        case alone
        /// A try alone has ended, well or badly, with its worker alive.
        case survived
    }

    package private(set) var faults = 0
    package private(set) var crashes = 0
    private var alone = 0
    private var survived = 0

    package init() {}

    /// - Parameter counts: messages by kind, by the servers.
    init(_ counts: [Kind: Int]) {
        func count(_ kind: Kind) -> Int { min(max(0, counts[kind] ?? 0), 1_000_000) }
        (faults, crashes, alone, survived) = (count(.fault), count(.crash), count(.alone), count(.survived))
    }

    /// Tries alone that nobody has heard the end of: the worker died of the job, and of no other.
    package var deaths: Int { max(0, alone - survived) }

    /// Times that it came back without a word.
    ///
    /// - Parameter delivery: how often it was handed out by now, from 1.
    package func unexplained(_ delivery: Int) -> Int { max(0, delivery - 1 - faults - crashes) }
}

extension JobQueue {
    /// Tells of a try. Returns when it is stored. Blocking.
    package func tell(_ kind: JobTries.Kind, of ticket: JobTicket, by worker: String) throws(FleetError) {
        try store(
            NatsLetter(
                subject: QueueNames.tries(ticket.sequence, kind.rawValue), payload: Array(worker.utf8),
                headers: [("Nats-Msg-Id", "\(ticket.sequence).\(ticket.delivery).\(kind.rawValue)")]))
    }

    /// What was told of a job. Blocking.
    package func tries(of ticket: JobTicket) throws(FleetError) -> JobTries {
        let subjects = try messages(in: QueueNames.tries, under: QueueNames.tries(ticket.sequence, "*"))
        var counts: [JobTries.Kind: Int] = [:]
        for kind in JobTries.Kind.allCases {
            counts[kind] = subjects[QueueNames.tries(ticket.sequence, kind.rawValue)]
        }
        return JobTries(counts)
    }
}
