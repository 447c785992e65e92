public import ChirpCodecs
public import ChirpCore

/// Everything that decides what a clip will be. Two equal orders make the same bytes.
public struct ClipOrder: Hashable, Sendable, Codable {
    public var source: ClipSource
    public var policy: EditPolicy
    public var preset: Preset
    /// The preset's settings, or what `--bitrate` and `--vbr` made of them.
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
