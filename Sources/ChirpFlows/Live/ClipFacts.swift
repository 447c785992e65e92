public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore

/// What a fetched clip turned out to be when it was decoded to its end.
public struct ClipFacts: Codable, Hashable, Sendable {
    public let seconds: Double
    /// What brings it to the loudness of the others, without its peaks going over.
    public let gain: Decibels

    public init(seconds: Double, gain: Decibels) {
        self.seconds = seconds
        self.gain = gain
    }

    /// Where all clips are brought to, as published ones are.
    public static let target = LUFS(-16)
    /// Quiet clips are not raised by more: their noise would come up.
    public static let mostGain = Decibels(12)

    /// Decodes a stranger's file within limits. Blocking: a job off the pool.
    ///
    /// - Throws: why it is no clip: not audio, longer than allowed, or shorter than it says itself.
    public init(measuring path: String, name: String, longest: Duration) throws(AudioError) {
        var limits = ReaderLimits.default
        limits.maximumLength = longest
        var file = try AudioFile(opening: path, name: name, limits: limits)
        var meter = LoudnessMeter(format: file.format, truePeak: false)
        var block = AudioBlock(format: file.format)
        var frames = 0
        while try file.read(into: &block) {
            if Task.isCancelled { throw .cancelled }
            meter.add(block)
            frames += block.frames
        }
        guard frames > 0 else { throw .nothingToHear(name: name, reason: "it is empty") }
        // A cut-off MP3 decodes without complaint; its own tag tells.
        for case .truncated(let missing) in file.notes where missing ?? 1 > 0.1 {
            throw .undecodable(name: name, reason: "its end is missing")
        }
        seconds = file.format.seconds(ofFrames: frames)
        gain = Self.gain(of: meter.result())
    }

    /// To the target, at most ``mostGain``, and never so much that the highest sample comes above -1 dBFS.
    static func gain(of loudness: Loudness) -> Decibels {
        guard let level = loudness.best else { return .zero }
        let wanted = min(level.gain(to: target), mostGain)
        guard wanted > .zero else { return wanted }
        return max(.zero, min(wanted, Decibels(-1) - loudness.samplePeak))
    }
}
