import ChirpAudio
import ChirpClips
import ChirpCommands
import ChirpCore
import ChirpFiles
import ChirpFlows

/// A line of `batch --json`: what became of one file. That of a made clip is its receipt, with path and status.
struct BatchLine: Encodable {
    private let result: BatchResult

    init(_ result: BatchResult) { self.result = result }

    private enum Key: String, CodingKey {
        case v, event, exit, index, path, pathHex, output, status, reason, error
    }

    func encode(to encoder: any Encoder) throws {
        if case .made(let receipt) = result.outcome { try ReceiptDocument(receipt).encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .v)
        try container.encode("file", forKey: .event)
        try container.encode(result.index, forKey: .index)
        try container.encode(result.path.text, forKey: .path)
        if !result.path.isText { try container.encode(result.path.bytes.hexadecimal, forKey: .pathHex) }
        try container.encode(result.output?.text, forKey: .output)
        switch result.outcome {
        case .made: try container.encode("made", forKey: .status)
        case .unchanged: try container.encode("unchanged", forKey: .status)
        case .planned: try container.encode("planned", forKey: .status)
        case .ignored(let reason):
            try container.encode("ignored", forKey: .status)
            try container.encode(reason, forKey: .reason)
        case .silent(let reason):
            try container.encode("silent", forKey: .status)
            try container.encode(reason, forKey: .reason)
        case .failed(let error):
            try container.encode("failed", forKey: .status)
            try container.encode(error.exitCode.rawValue, forKey: .exit)
            try container.encode(
                ErrorReport.Words(whatHappened: error.whatHappened, whatToDo: error.whatToDo), forKey: .error)
        }
    }

    /// The tree was read: what there is to make.
    struct Listed: Encodable {
        let v = 1
        let event = "listed"
        let files: Int
        let seconds: Double
    }

    /// All that is there is made; changes are waited for.
    struct Watching: Encodable {
        let v = 1
        let event = "watching"
    }

    /// The last line.
    struct Summary: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let files: Int
        let made: Int
        let unchanged: Int
        let planned: Int
        let ignored: Int
        /// Recordings that hold no sound, and have no clip.
        let silent: Int
        let failed: Int
        /// Sources that were read as a whole to compare them with earlier runs, and those that were opened.
        let hashed: Int
        let probed: Int
        /// Of the recordings that became clips, and of the clock.
        let audioSeconds: Double
        let seconds: Double
        let failures: [Failure]
        /// Only with a fleet.
        let fleet: Fleet?

        struct Fleet: Encodable {
            let workers: Int
            let enqueued: Int
            let duplicates: Int
            let redelivered: Int
            let republished: Int
        }

        struct Failure: Encodable {
            let path: String
            let exit: Int32
            let reason: String
        }

        init(_ summary: BatchSummary) {
            exit = (summary.failures.isEmpty ? ExitCode.done : .partial).rawValue
            files = summary.files
            made = summary.made
            unchanged = summary.unchanged
            planned = summary.planned
            ignored = summary.ignored
            silent = summary.silent
            failed = summary.failures.count
            hashed = summary.hashed
            probed = summary.probed
            audioSeconds = summary.audioSeconds
            seconds = summary.seconds
            fleet = summary.fleet.map {
                Fleet(
                    workers: $0.workers, enqueued: $0.enqueued, duplicates: $0.duplicates, redelivered: $0.redelivered,
                    republished: $0.republished)
            }
            failures = summary.failures.map { Failure(path: $0.path.text, exit: $0.exit, reason: $0.reason) }
        }
    }
}
