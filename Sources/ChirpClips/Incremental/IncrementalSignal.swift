internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpMP3

/// The way of a recording that is encoded while it is made: measured, freed of rumble, held back until it is clear how
/// loud it is, encoded.
struct IncrementalSignal: ~Copyable {
    private let settings: MP3Settings
    private let policy: EditPolicy
    private let removesRumble: Bool
    private let target: IncrementalTarget
    private let spoolFolder: String
    private let format: AudioFormat
    private var input: IncrementalInput
    private var work: AudioBlock
    private var meter: LevelWindowMeter
    private var highPass: HighPass?
    private var preRoll: PreRoll
    private var encoder: IncrementalMP3Encoder?
    private var levels = VersionLoudness(versions: 0)
    /// The window at which to look again whether to begin.
    private var nextLook = IncrementalOpening.settling
    /// The windows at which the staged files are to follow, and to hear what the clip will be like.
    private var (nextStaging, nextProvisional) = (0, 0)

    init(
        from recording: AudioFormat, to format: AudioFormat, settings: MP3Settings, policy: EditPolicy,
        removesRumble: Bool, target: IncrementalTarget, spoolFolder: String
    ) throws(AudioError) {
        input = try IncrementalInput(from: recording, to: format)
        work = AudioBlock(format: format)
        meter = LevelWindowMeter(format: format, removingRumble: removesRumble)
        highPass = removesRumble ? HighPass(format: format, frequency: 20, settled: true) : nil
        preRoll = PreRoll(format: format)
        encoder = nil
        self.format = format
        self.settings = settings
        self.policy = policy
        self.removesRumble = removesRumble
        self.target = target
        self.spoolFolder = spoolFolder
    }

    mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        input.add(block)
        while try input.take(into: &work) { try takeWork() }
    }

    func waitForStaging() { encoder?.waitForStaging() }

    private mutating func takeWork() throws(AudioError) {
        meter.add(work)
        highPass?.process(&work)
        guard encoder == nil else {
            try encoder?.write(work)
            staged()
            return
        }
        preRoll.add(work)
        guard meter.wholeWindows.count >= nextLook || !policy.normalises else { return }
        // Twice a second.
        nextLook = meter.wholeWindows.count + LevelWindows.rate / 2
        switch IncrementalOpening(held(), first: preRoll.firstWindow, policy: policy, headroom: headroom) {
        case .wait(let window): preRoll.drop(beforeWindow: window)
        case .begin(let window, let gain): try begin(at: window, gain: gain)
        }
    }

    private var headroom: Decibels { encodingHeadroom(settings, channels: format.channels) }

    /// What is known of the part that is held back.
    private func held() -> ClipAnalysis {
        let all = meter.wholeWindows
        let windows = LevelWindows((preRoll.firstWindow..<max(all.count, preRoll.firstWindow)).map { all[$0] })
        return ClipAnalysis(format: format, frames: preRoll.frames, windows: windows, removesRumble: removesRumble)
    }

    private mutating func begin(at window: Int, gain: Decibels) throws(AudioError) {
        preRoll.drop(beforeWindow: window)
        let gains = policy.normalises ? IncrementalMP3Encoder.gains(around: gain) : [.zero]
        levels = VersionLoudness(versions: gains.count)
        var encoder = try IncrementalMP3Encoder(
            format: format, settings: settings, gains: gains,
            target: target, spoolFolder: spoolFolder)
        try preRoll.drain { (block) throws(AudioError) in try encoder.write(block) }
        self.encoder = consume encoder
    }

    /// Every second. A long recording is looked at as a whole less often, since what comes then changes it less.
    private mutating func staged() {
        let now = meter.wholeWindows.count
        guard now >= nextStaging else { return }
        nextStaging = now + LevelWindows.rate
        guard now >= nextProvisional else {
            encoder?.follow()
            return
        }
        nextProvisional = now + max(LevelWindows.rate, now / 64)
        let provisional = ProvisionalPlan(
            format: format, frames: meter.frames, windows: meter.wholeWindows, removesRumble: removesRumble,
            firstFrame: preRoll.firstFrame, versions: encoder?.heard ?? [], policy: policy, headroom: headroom,
            levels: levels)
        encoder?.follow { provisional.cut() }
    }

    /// What there is when a recording has ended.
    struct End: ~Copyable {
        /// Of the whole recording.
        let analysis: ClipAnalysis
        /// The first frame that was encoded.
        let firstFrame: Int
        let recording: IncrementalRecording
        let levels: VersionLoudness
        /// How the channels should have been mixed; they were, by their mean.
        let downmix: MonoDownmix
    }

    consuming func finish() throws(AudioError) -> End {
        while try input.drain(into: &work) { try takeWork() }
        if encoder == nil {
            // Short: everything there is tells how loud it is.
            let plan = EditPlan(held(), policy: policy, headroom: headroom)
            let gain = policy.normalises ? min(plan.gain, -held().peak(in: 0..<held().windows.count)) : .zero
            try begin(at: preRoll.firstWindow, gain: gain)
        }
        let downmix = input.suitableDownmix
        guard let encoder = encoder.take() else { throw .library(name: "the encoder", code: 0) }
        let frames = meter.frames
        let analysis = ClipAnalysis(
            format: format, frames: frames, windows: meter.finish(), removesRumble: removesRumble)
        return End(
            analysis: analysis, firstFrame: preRoll.firstFrame, recording: try encoder.finish(), levels: levels,
            downmix: downmix)
    }
}
