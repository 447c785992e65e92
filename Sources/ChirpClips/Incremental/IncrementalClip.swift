public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
public import ChirpMP3

/// A clip that is encoded while its recording is made, so that it is there some milliseconds after the end (the same
/// decisions as ``prepare(_:progress:)``: trim, loudness, rumble). What needs more than a cut and a patch is not made; see
/// ``IncrementalOutcome``. One thread at a time.
public struct IncrementalClip: ~Copyable {
    /// Of the blocks to write.
    public let recordingFormat: AudioFormat
    /// Of the clip.
    public let format: AudioFormat
    private let preset: Preset
    private let settings: MP3Settings
    private let policy: EditPolicy
    private let target: IncrementalTarget
    private var signal: IncrementalSignal

    /// - Parameters:
    ///   - recordingFormat: mono or stereo.
    ///   - settings: the preset's, or what replaces them.
    ///   - target: the file to make.
    ///   - spoolFolder: for what does not fit in memory, see `IncrementalMP3Encoder`.
    /// - Throws: ``AudioError/settings(_:)`` when no such MP3 exists.
    public init(
        recordingFormat: AudioFormat, preset: Preset, settings: MP3Settings? = nil, policy: EditPolicy = EditPolicy(),
        target: IncrementalTarget, spoolFolder: String = "/tmp"
    ) throws(AudioError) {
        let settings = settings ?? preset.settings
        let format = preset.clipFormat(for: recordingFormat, settings: settings)
        try settings.validate(for: format)
        signal = try IncrementalSignal(
            from: recordingFormat, to: format, settings: settings, policy: policy, removesRumble: preset != .music,
            target: target, spoolFolder: spoolFolder)
        self.recordingFormat = recordingFormat
        self.format = format
        self.preset = preset
        self.settings = settings
        self.policy = policy
        self.target = target
    }

    /// - Parameter block: of ``recordingFormat``, any number of frames.
    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        precondition(block.format == recordingFormat)
        try signal.write(block)
    }

    /// Waits until as much is on the disk as there is when a recording takes its time; for measuring.
    package func waitForStaging() { signal.waitForStaging() }

    /// The recording has ended: decides, and makes the clip.
    ///
    /// - Parameter name: of the recording, for errors.
    /// - Throws: ``AudioError/nothingToHear(name:reason:)`` for silence, unless it is to be kept; what writing throws.
    public consuming func finish(name: String) throws(AudioError) -> IncrementalOutcome {
        let (format, preset, settings, policy, target) = (format, preset, settings, policy, target)
        let end = try signal.finish()
        let (analysis, firstFrame) = (end.analysis, end.firstFrame)
        guard analysis.frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
        guard end.downmix == .mean else { return .needsRendering(.channels) }
        let plan = end.levels.plan(
            analysis, policy: policy, headroom: encodingHeadroom(settings, channels: format.channels))
        if policy.trims && plan.isSilent { throw .nothingToHear(name: name, reason: "it is silent") }
        guard !policy.trims || !analysis.maybeHum else { return .needsRendering(.steady) }
        guard plan.frames.lowerBound >= firstFrame else { return .needsRendering(.start) }
        guard plan.fadeFrames == 0 else { return .needsRendering(.fading) }
        let part = plan.frames.lowerBound - firstFrame..<plan.frames.upperBound - firstFrame
        let choice: VersionChoice
        let best = VersionChoice.best(
            of: end.recording.versions, part: part, format: format, plan: plan, policy: policy, levels: end.levels)
        switch best {
        case .success(let best): choice = best
        case .failure(let reason): return .needsRendering(reason)
        }
        let patch = GlobalGainPatch(steps: choice.steps)
        let windows = end.recording.versions[choice.version].windows
        guard let result = try end.recording.write(version: choice.version, patch: patch, part: part) else {
            return .needsRendering(.cutting)
        }
        let report = result.report
        let size = try MP3Size(frames: report.frames, format: format, settings: settings, id3Bytes: report.id3Bytes)
        var kbps = Int(report.averageKbps.rounded())
        if case .constant(let constant) = settings.rate { kbps = constant }
        let truePeak = choice.truePeak.value
        return .made(
            IncrementalOutcome.Made(
                trim: Receipt.Trim(
                    headSeconds: format.seconds(ofFrames: plan.headFrames + part.count - report.frames),
                    tailSeconds: format.seconds(ofFrames: plan.tailFrames), capped: plan.isCapped),
                level: Receipt.Level(
                    method: plan.method, beforeLUFS: plan.before?.value, gainDB: choice.gain.value, limitedDB: 0,
                    afterLUFS: choice.loudness?.value, truePeakDBTP: truePeak.isFinite ? truePeak : nil),
                clip: Receipt.Clip(
                    path: target.path, bytes: report.bytes.bytes,
                    predictedBytes: max(size.bytes.bytes, report.bytes.bytes), sha256: result.sha256,
                    seconds: format.seconds(ofFrames: report.frames), frames: report.frames,
                    sampleRate: format.sampleRate, channels: format.channels, bitrateKbps: kbps,
                    preset: preset.rawValue),
                notes: plan.notes, stagedBytes: result.stagedBytes,
                sound: VersionOutline(windows: windows, part: part, sampleRate: format.sampleRate, gain: patch.gain)))
    }
}
