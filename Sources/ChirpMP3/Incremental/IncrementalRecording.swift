public import ChirpAudio
internal import ChirpCore

/// What a ``IncrementalMP3Encoder`` has made: versions of one recording at several gains, of which one becomes a file.
public struct IncrementalRecording: ~Copyable {
    /// PCM frames of the whole recording.
    public let frames: Int
    public let versions: [GainVersion]
    private let streams: [LaneStream]
    private let target: IncrementalTarget
    private let stager: ClipStager?

    init(
        frames: Int, versions: [GainVersion], streams: [LaneStream], target: IncrementalTarget, stager: ClipStager?
    ) {
        self.frames = frames
        self.versions = versions
        self.streams = streams
        self.target = target
        self.stager = stager
    }

    /// Writes a part of one version, louder or softer by whole steps. The file appears under its name when it is whole. What
    /// was staged like that already is there; the bytes do not depend on it.
    ///
    /// - Parameters:
    ///   - version: its number in ``versions``.
    ///   - part: the PCM frames to keep, within 0..<``frames``. Where the stream allows no other cut, the file begins up
    ///     to 25 ms earlier: the report counts the frames that decoders give back.
    /// - Returns: nil, and no file, when these frames cannot be cut or patched like that: encode the recording instead.
    /// - Throws: ``AudioError/uncreatable(path:reason:)`` or ``AudioError/inputOutput(path:reason:)``.
    public consuming func write(
        version: Int, patch: GlobalGainPatch, part: Range<Int>
    ) throws(AudioError) -> IncrementalResult? {
        precondition(part.lowerBound >= 0 && part.upperBound <= frames && versions.indices.contains(version))
        let stream = streams[version]
        guard let cut = stream.cut(part) else { return nil }
        var file = try StagedFile.open(stager?.take(version), or: target, of: stream, isNameless: false)
        try file.begin(cut.head, patch)
        let drafted = file.bytes
        guard try file.grow(to: cut.frames.upperBound) else { return nil }
        let (report, sha256) = try file.finish(cut)
        return IncrementalResult(report: report, sha256: sha256, stagedBytes: min(drafted, Int(report.bytes.bytes)))
    }
}

/// What became of a ``IncrementalRecording``.
public struct IncrementalResult: Hashable, Sendable {
    public let report: MP3Report
    /// Of the whole file, in hexadecimal.
    public let sha256: String
    /// How much of it was in the file before the recording ended.
    public let stagedBytes: Int
}

/// How one of the streams of a ``IncrementalMP3Encoder`` sounds: decoded and measured while it was made.
public struct GainVersion: Sendable {
    /// On top of the recording.
    public let gain: Decibels
    /// Loudness and level of every 10 ms, from the first frame that was written.
    public let windows: LevelWindows
    let peaks: [(frame: Int, peak: Decibels)]

    /// The true peak of everything before a frame; minus infinity for digital silence.
    public func truePeak(before frame: Int) -> Decibels {
        peaks.last { $0.frame < frame }?.peak ?? .silence
    }
}
