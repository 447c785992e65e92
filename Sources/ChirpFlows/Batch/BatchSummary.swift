internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore

/// What a batch has done, in numbers.
public struct BatchSummary: Hashable, Sendable {
    /// One failed file.
    public struct Failure: Hashable, Sendable {
        public var path: BatchPath
        public var reason: String
        /// What the failure alone would have ended a command with.
        public var exit: Int32
    }

    /// All that were found.
    public var files = 0
    public var made = 0
    public var unchanged = 0
    public var planned = 0
    public var ignored = 0
    /// Recordings without a sound: they have no clip, and are no failures.
    public var silent = 0
    /// In the order of the list.
    public var failures: [Failure] = []
    /// Sources that were read to compare them, and sources that were opened to see what they are.
    public var hashed = 0
    public var probed = 0
    /// Of the recordings that were made into clips.
    public var audioSeconds = 0.0
    /// How long it took.
    public var seconds = 0.0
    /// Files that are still being written, left for later; only when watching.
    public var deferred = 0

    /// What a fleet has done; nil without one.
    public var fleet: Fleet?

    /// How a fleet has worked.
    public struct Fleet: Hashable, Sendable {
        /// The most that were alive at a time.
        public var workers = 0
        /// Jobs that were put into the queue by this run.
        public var enqueued = 0
        /// Clips that were made although they were there already.
        public var duplicates = 0
        /// Times that a job was handed out again, after a worker had died or could not reach something.
        public var redelivered = 0
        /// Jobs that had got lost with a server, and were put in again.
        public var republished = 0

        public init() {}
    }

    public init() {}

    mutating func count(_ result: BatchResult) {
        switch result.outcome {
        case .made(let receipt):
            made += 1
            audioSeconds += receipt.input.seconds
        case .unchanged: unchanged += 1
        case .planned: planned += 1
        case .ignored: ignored += 1
        case .silent: silent += 1
        case .failed(let error):
            failures.append(
                Failure(path: result.path, reason: error.whatHappened, exit: error.exitCode.rawValue))
        }
    }
}
