/// What was done, in numbers: the machine-readable answer of `publish --json`, `encode --json` and a `batch` line.
///
/// Names and units are public and only ever added to. Times are seconds, levels LUFS, dBTP or dB, sizes bytes.
/// Levels of the clip are measured on the decoded MP3.
public struct Receipt: Codable, Hashable, Sendable {
    public var v = 1
    public var event = "result"
    public var exit: Int32 = 0
    public var input: Input
    public var trim: Trim
    public var level: Level
    public var clip: Clip?
    public var store: Store?
    public var network: Network?
    public var shareText: String?
    public var timings: Timings
    public var notes: [Note] = []

    public init(input: Input, trim: Trim, level: Level, clip: Clip? = nil, timings: Timings = Timings()) {
        self.input = input
        self.trim = trim
        self.level = level
        self.clip = clip
        self.timings = timings
    }

    public struct Input: Codable, Hashable, Sendable {
        public var name: String
        public var sha256: String
        /// Decoded frames over sample rate, never a header's promise.
        public var seconds: Double
        public var sampleRate: Int
        public var channels: Int
        /// Container and encoding, for example `WAV PCM 16`.
        public var format: String

        public init(
            name: String, sha256: String, seconds: Double, sampleRate: Int, channels: Int, format: String
        ) {
            self.name = name
            self.sha256 = sha256
            self.seconds = seconds
            self.sampleRate = sampleRate
            self.channels = channels
            self.format = format
        }
    }

    public struct Trim: Codable, Hashable, Sendable {
        public var headSeconds: Double
        public var tailSeconds: Double
        /// The length cap has shortened the clip.
        public var capped: Bool

        public init(
            headSeconds: Double, tailSeconds: Double, capped: Bool
        ) {
            self.headSeconds = headSeconds
            self.tailSeconds = tailSeconds
            self.capped = capped
        }
    }

    public struct Level: Codable, Hashable, Sendable {
        public enum Method: String, Codable, Sendable { case integrated, short, none }
        public var method: Method
        public var beforeLUFS: Double?
        public var gainDB: Double
        /// The deepest reduction by the limiter, 0 or more.
        public var limitedDB: Double
        public var afterLUFS: Double?
        public var truePeakDBTP: Double?

        public init(
            method: Method, beforeLUFS: Double? = nil, gainDB: Double, limitedDB: Double, afterLUFS: Double? = nil,
            truePeakDBTP: Double? = nil
        ) {
            self.method = method
            self.beforeLUFS = beforeLUFS
            self.gainDB = gainDB
            self.limitedDB = limitedDB
            self.afterLUFS = afterLUFS
            self.truePeakDBTP = truePeakDBTP
        }
    }

    public struct Clip: Codable, Hashable, Sendable {
        /// Nil when it went to standard output, or was not kept.
        public var path: String?
        public var bytes: Int64
        /// Known before encoding; equal to ``bytes`` for constant rates, an upper bound otherwise.
        public var predictedBytes: Int64
        public var sha256: String
        public var seconds: Double
        public var frames: Int
        public var sampleRate: Int
        public var channels: Int
        /// The constant rate, or the mean over the clip rounded to whole kbps.
        public var bitrateKbps: Int
        public var preset: String

        public init(
            path: String? = nil, bytes: Int64, predictedBytes: Int64, sha256: String, seconds: Double, frames: Int,
            sampleRate: Int, channels: Int, bitrateKbps: Int, preset: String
        ) {
            self.path = path
            self.bytes = bytes
            self.predictedBytes = predictedBytes
            self.sha256 = sha256
            self.seconds = seconds
            self.frames = frames
            self.sampleRate = sampleRate
            self.channels = channels
            self.bitrateKbps = bitrateKbps
            self.preset = preset
        }
    }

    public struct Store: Codable, Hashable, Sendable {
        public var name: String
        public var id: String
        public var link: String
        public var freeBytesBefore: Int64?

        public init(
            name: String, id: String, link: String, freeBytesBefore: Int64? = nil
        ) {
            self.name = name
            self.id = id
            self.link = link
            self.freeBytesBefore = freeBytesBefore
        }
    }

    public struct Network: Codable, Hashable, Sendable {
        public var name: String
        public var postID: String?
        public var postURL: String?
        public var estimatedCostUSD: Double?

        public init(
            name: String, postID: String? = nil, postURL: String? = nil, estimatedCostUSD: Double? = nil
        ) {
            self.name = name
            self.postID = postID
            self.postURL = postURL
            self.estimatedCostUSD = estimatedCostUSD
        }
    }

    /// Seconds per step; nil for a step that did not happen.
    public struct Timings: Codable, Hashable, Sendable {
        public var read: Double?
        public var analyse: Double?
        public var render: Double?
        public var verify: Double?
        public var upload: Double?
        public var post: Double?
        public var total: Double?
        public init() {}
    }

    /// Something the user should know, with a stable code for scripts.
    public struct Note: Codable, Hashable, Sendable {
        public var code: String
        public var text: String
        public init(code: String, text: String) {
            self.code = code
            self.text = text
        }
    }
}
