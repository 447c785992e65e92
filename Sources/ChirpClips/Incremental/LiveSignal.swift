internal import ChirpAudio
internal import ChirpCodecs

/// The way of a recording that is encoded while it is made: measured, freed of rumble, held back until it is clear how
/// loud it is, encoded.
struct LiveSignal: ~Copyable {
    private let settings: MP3Settings
    private let policy: EditPolicy
    private let removesRumble: Bool
    private let target: LiveTarget
    private let spoolFolder: String
    private let format: AudioFormat
    private var input: LiveInput
    private var work: AudioBlock
    private var meter: MomentMeter
    private var highPass: HighPass?
    private var preRoll: LivePreRoll
    private var encoder: LiveMP3Encoder?
    private var courses = LiveCourses(versions: 0)
    /// The moment at which to look again whether to begin.
    private var nextLook = LiveOpening.settling
    /// The moments at which the drafts are to follow, and to hear what the clip will be like.
    private var (nextDraft, nextOutlook) = (0, 0)

    init(
        from recording: AudioFormat, to format: AudioFormat, settings: MP3Settings, policy: EditPolicy,
        removesRumble: Bool, target: LiveTarget, spoolFolder: String
    ) throws(AudioError) {
        input = try LiveInput(from: recording, to: format)
        work = AudioBlock(format: format)
        meter = MomentMeter(format: format, removingRumble: removesRumble)
        highPass = removesRumble ? HighPass(format: format, frequency: 20, settled: true) : nil
        preRoll = LivePreRoll(format: format)
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

    func waitForDrafts() { encoder?.waitForDrafts() }

    private mutating func takeWork() throws(AudioError) {
        meter.add(work)
        highPass?.process(&work)
        guard encoder == nil else {
            try encoder?.write(work)
            draft()
            return
        }
        preRoll.add(work)
        guard meter.wholeMoments.count >= nextLook || !policy.normalises else { return }
        // Twice a second.
        nextLook = meter.wholeMoments.count + Moments.rate / 2
        switch LiveOpening(held(), first: preRoll.firstMoment, policy: policy, headroom: headroom) {
        case .wait(let moment): preRoll.drop(beforeMoment: moment)
        case .begin(let moment, let gain): try begin(at: moment, gain: gain)
        }
    }

    private var headroom: Decibels { encodingHeadroom(settings, channels: format.channels) }

    /// What is known of the part that is held back.
    private func held() -> ClipAnalysis {
        let all = meter.wholeMoments
        let moments = Moments((preRoll.firstMoment..<max(all.count, preRoll.firstMoment)).map { all[$0] })
        return ClipAnalysis(format: format, frames: preRoll.frames, moments: moments, removesRumble: removesRumble)
    }

    private mutating func begin(at moment: Int, gain: Decibels) throws(AudioError) {
        preRoll.drop(beforeMoment: moment)
        let gains = policy.normalises ? LiveMP3Encoder.gains(around: gain) : [.zero]
        courses = LiveCourses(versions: gains.count)
        var encoder = try LiveMP3Encoder(
            format: format, settings: settings, gains: gains,
            target: target, spoolFolder: spoolFolder)
        try preRoll.drain { (block) throws(AudioError) in try encoder.write(block) }
        self.encoder = consume encoder
    }

    /// Every second. A long recording is looked at as a whole less often, since what comes then changes it less.
    private mutating func draft() {
        let now = meter.wholeMoments.count
        guard now >= nextDraft else { return }
        nextDraft = now + Moments.rate
        guard now >= nextOutlook else {
            encoder?.follow()
            return
        }
        nextOutlook = now + max(Moments.rate, now / 64)
        let outlook = LiveOutlook(
            format: format, frames: meter.frames, moments: meter.wholeMoments, removesRumble: removesRumble,
            firstFrame: preRoll.firstFrame, versions: encoder?.heard ?? [], policy: policy, headroom: headroom,
            courses: courses)
        encoder?.follow { outlook.wish() }
    }

    /// What there is when a recording has ended.
    struct End: ~Copyable {
        /// Of the whole recording.
        let analysis: ClipAnalysis
        /// The first frame that was encoded.
        let firstFrame: Int
        let recording: LiveRecording
        let courses: LiveCourses
        /// How the channels should have been mixed; they were, by their mean.
        let downmix: MonoDownmix
    }

    consuming func finish() throws(AudioError) -> End {
        while try input.drain(into: &work) { try takeWork() }
        if encoder == nil {
            // Short: everything there is tells how loud it is.
            let plan = EditPlan(held(), policy: policy, headroom: headroom)
            let gain = policy.normalises ? min(plan.gain, -held().peak(in: 0..<held().moments.count)) : .zero
            try begin(at: preRoll.firstMoment, gain: gain)
        }
        let downmix = input.suitableDownmix
        guard let encoder = encoder.take() else { throw .library(name: "the encoder", code: 0) }
        let frames = meter.frames
        let analysis = ClipAnalysis(
            format: format, frames: frames, moments: meter.finish(), removesRumble: removesRumble)
        return End(
            analysis: analysis, firstFrame: preRoll.firstFrame, recording: try encoder.finish(), courses: courses,
            downmix: downmix)
    }
}
