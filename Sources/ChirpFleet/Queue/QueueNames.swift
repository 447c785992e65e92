internal import ChirpCore
internal import ChirpJournal

/// The names of a fleet's streams and subjects. One job has one subject, by its batch and its id.
enum QueueNames {
    static let jobs = "CHIRP_JOBS"
    static let results = "CHIRP_RESULTS"
    static let dead = "CHIRP_DEAD"
    static let tries = "CHIRP_TRIES"
    /// The one consumer that all workers share.
    static let workers = "workers"

    /// Every job of a batch.
    static func jobs(of batch: String) -> String { "chirp.jobs.\(batch).>" }
    /// The result of every job of a batch.
    static func results(of batch: String) -> String { "chirp.results.\(batch).*" }
    static func job(_ id: JobID, of batch: String) -> String { "chirp.jobs.\(batch).\(id)" }
    static func result(_ id: JobID, of batch: String) -> String { "chirp.results.\(batch).\(id)" }
    static func dead(_ id: JobID, of batch: String) -> String { "chirp.dead.\(batch).\(id)" }
    /// What is told of the tries of one message of the jobs' stream; one that is asked for again later is another message.
    static func tries(_ sequence: Int, _ kind: String) -> String { "chirp.tries.\(sequence).\(kind)" }
    static func worker(_ id: String) -> String { "chirp.workers.\(id)" }

    /// The job's id at the end of its subject; nil for a subject of another kind.
    static func id(in subject: String, of batch: String) -> JobID? {
        let prefix = "chirp.jobs.\(batch)."
        guard subject.hasPrefix(prefix) else { return nil }
        let id = String(subject.dropFirst(prefix.count))
        return isToken(id) ? JobID(rawValue: id) : nil
    }

    /// Whether a text can be part of a subject and of a file's name: lower-case letters and digits, 8 to 64.
    static func isToken(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
}
