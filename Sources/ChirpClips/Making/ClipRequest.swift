internal import ChirpAudio
internal import ChirpCodecs
public import ChirpCore
public import ChirpMP3

/// Everything that decides what a clip will be. Two equal requests make the same bytes.
public struct ClipRequest: Hashable, Sendable {
    public var source: ClipSource
    public var policy: EditPolicy
    public var preset: Preset
    /// The preset's settings, or others that were asked for.
    public var settings: MP3Settings
    public var tag: ID3Tag
    /// The clip must not be larger: the highest constant rate that fits is chosen.
    public var maximumBytes: ByteCount?
    /// Decode and measure the finished clip, and make it again when it turned out otherwise than planned. Default true.
    public var verifies: Bool
    /// Threads for encoding, 1 or more; does not change the bytes.
    public var jobs: Int

    public init(source: ClipSource, preset: Preset, policy: EditPolicy = EditPolicy()) {
        self.source = source
        self.policy = policy
        self.preset = preset
        settings = preset.settings
        tag = ID3Tag()
        maximumBytes = nil
        verifies = true
        jobs = 1
    }
}

extension ClipRequest {
    /// An MP3 of a whole master as it sounds, for who has bought one: at the highest rate, nothing cut, nothing levelled. Two requests of the same
    /// bytes make the same bytes.
    ///
    /// A master may go above full scale between its samples, and what is heard then is its maker's choice: no ceiling is kept.
    package init(copyOf master: ClipSource) {
        self.init(source: master, preset: .music)
        settings = MP3Settings(rate: .constant(kbps: 320))
        policy.trims = false
        policy.normalises = false
        policy.ceiling = Decibels(24)
    }
}

extension ClipRequest: Codable {
    private enum Key: String, CodingKey {
        case source, policy, preset, settings, tag, maximumBytes, verifies, jobs
    }

    /// Orders wait in the outbox while Chirp is replaced by a newer one: what an earlier build did not write has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            source: try values.decode(ClipSource.self, forKey: .source),
            preset: try values.decode(Preset.self, forKey: .preset))
        if let policy = try values.decodeIfPresent(EditPolicy.self, forKey: .policy) { self.policy = policy }
        if let settings = try values.decodeIfPresent(MP3Settings.self, forKey: .settings) { self.settings = settings }
        if let tag = try values.decodeIfPresent(ID3Tag.self, forKey: .tag) { self.tag = tag }
        maximumBytes = try values.decodeIfPresent(ByteCount.self, forKey: .maximumBytes)
        verifies = try values.decodeIfPresent(Bool.self, forKey: .verifies) ?? true
        jobs = try values.decodeIfPresent(Int.self, forKey: .jobs) ?? 1
    }

    /// A default that earlier builds did not know is left out, so that the same request is the same text, and a recording that was
    /// published by them is known again.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(source, forKey: .source)
        try values.encode(policy, forKey: .policy)
        try values.encode(preset, forKey: .preset)
        try values.encode(settings, forKey: .settings)
        try values.encode(tag, forKey: .tag)
        try values.encodeIfPresent(maximumBytes, forKey: .maximumBytes)
        if !verifies { try values.encode(verifies, forKey: .verifies) }
        try values.encode(jobs, forKey: .jobs)
    }
}

/// A recording as a file on this machine; what came through a pipe has been spooled into one first.
public struct ClipSource: Hashable, Sendable, Codable {
    public var path: String
    /// What the user calls it: the file name, or `standard input`.
    public var name: String
    /// Lower-case hexadecimal SHA-256 of the whole file; empty when nobody needed it yet.
    public var sha256: String
    /// A voice that is heard over it; nil for none, and then nothing is written of it.
    public var overlay: VoiceOverlay?

    public init(path: String, name: String, sha256: String) {
        self.path = path
        self.name = name
        self.sha256 = sha256
    }
}
