/// What was done, in numbers; in the journal, in results of a fleet, and in what front ends answer to programs.
///
/// Names and units are public and only ever added to. Times are seconds, levels LUFS, dBTP or dB, sizes bytes.
/// Levels of the clip are measured on the decoded MP3; nil when that was left out.
public struct Receipt: Codable, Hashable, Sendable {
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

    /// What does not exist is written as `null`, never left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(input, forKey: .input)
        try container.encode(trim, forKey: .trim)
        try container.encode(level, forKey: .level)
        try container.encode(clip, forKey: .clip)
        try container.encode(store, forKey: .store)
        try container.encode(network, forKey: .network)
        try container.encode(shareText, forKey: .shareText)
        try container.encode(timings, forKey: .timings)
        try container.encode(notes, forKey: .notes)
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

        /// What does not exist is written as `null`, never left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(method, forKey: .method)
            try container.encode(beforeLUFS, forKey: .beforeLUFS)
            try container.encode(gainDB, forKey: .gainDB)
            try container.encode(limitedDB, forKey: .limitedDB)
            try container.encode(afterLUFS, forKey: .afterLUFS)
            try container.encode(truePeakDBTP, forKey: .truePeakDBTP)
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

        /// What does not exist is written as `null`, never left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(path, forKey: .path)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(predictedBytes, forKey: .predictedBytes)
            try container.encode(sha256, forKey: .sha256)
            try container.encode(seconds, forKey: .seconds)
            try container.encode(frames, forKey: .frames)
            try container.encode(sampleRate, forKey: .sampleRate)
            try container.encode(channels, forKey: .channels)
            try container.encode(bitrateKbps, forKey: .bitrateKbps)
            try container.encode(preset, forKey: .preset)
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

        /// What does not exist is written as `null`, never left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(id, forKey: .id)
            try container.encode(link, forKey: .link)
            try container.encode(freeBytesBefore, forKey: .freeBytesBefore)
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

        /// What does not exist is written as `null`, never left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(postID, forKey: .postID)
            try container.encode(postURL, forKey: .postURL)
            try container.encode(estimatedCostUSD, forKey: .estimatedCostUSD)
        }
    }

    /// Seconds per step; nil for a step that did not happen. Verifying happens while rendering, on any thread.
    public struct Timings: Codable, Hashable, Sendable {
        public var read: Double?
        public var analyse: Double?
        public var render: Double?
        public var verify: Double?
        public var upload: Double?
        public var post: Double?
        public var total: Double?
        public init() {}

        /// What does not exist is written as `null`, never left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(read, forKey: .read)
            try container.encode(analyse, forKey: .analyse)
            try container.encode(render, forKey: .render)
            try container.encode(verify, forKey: .verify)
            try container.encode(upload, forKey: .upload)
            try container.encode(post, forKey: .post)
            try container.encode(total, forKey: .total)
        }
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
