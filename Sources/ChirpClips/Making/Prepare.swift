public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMP3

/// Reads a recording once and decides what its clip will be, exact size included; nothing is encoded.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks.
/// - Parameter findsDigest: also find the recording's digest, meanwhile, when ``ClipSource/sha256`` is empty: 1.4 ns a sample of
///   16 bits, for receipts that somebody reads.
/// - Throws: ``AudioError``, in particular `nothingToHear` for silence (unless silence is to be kept) and `settings` when
///   no rate fits ``ClipRequest/maximumBytes``, `outside` when the clip would begin behind the recording.
public func prepare(
    _ request: ClipRequest, findsDigest: Bool = false, progress: @Sendable (ClipProgress) -> Void
) throws(AudioError) -> ClipPlan {
    var request = request
    let begin = ContinuousClock.now
    var settings = request.settings
    var facts = try findFacts(request, settings: settings, findsDigest: findsDigest, progress: progress)
    request.source.sha256 = facts.input.sha256
    if let maximum = request.maximumBytes {
        while true {
            let plan = EditPlan(facts.analysis, policy: request.policy)
            let fitting = try settingsThatFit(maximum, request: request, settings: settings, plan: plan, facts: facts)
            guard fitting != settings else { break }
            settings = fitting
            // A lower bit rate may need a lower sample rate, and the facts have to be found for that.
            let format = request.preset.clipFormat(for: facts.inputFormat, settings: settings)
            if format == facts.analysis.format { break }
            facts = try findFacts(request, settings: settings, findsDigest: false, progress: progress)
        }
    }
    let analysis = facts.analysis
    let seconds = analysis.format.seconds(ofFrames: analysis.frames)
    if let begin = request.policy.begin, begin > .zero, begin / .seconds(1) >= seconds {
        throw .outside(name: request.source.name, reason: "it is \((seconds * 100).rounded() / 100) s long")
    }
    let plan = EditPlan(
        analysis, policy: request.policy, headroom: encodingHeadroom(settings, channels: analysis.format.channels))
    if request.policy.trims && plan.isSilent {
        throw .nothingToHear(name: request.source.name, reason: "it is silent")
    }
    if request.policy.trims, analysis.maybeHum, let hertz = try mainsHum(request.source, analysis) {
        throw .nothingToHear(
            name: request.source.name, reason: "it is the hum of mains at \(hertz) Hz and nothing else")
    }
    let size = try MP3Size(
        frames: plan.frames.count, format: analysis.format, settings: settings, id3Bytes: request.tag.encodedBytes)
    var timings = Receipt.Timings()
    timings.analyse = (ContinuousClock.now - begin) / .seconds(1)
    var clip = ClipPlan(
        request: request, analysis: analysis, plan: plan, clipFormat: analysis.format, settings: settings,
        predictedBytes: size.bytes, input: facts.input, notes: facts.notes + plan.notes, timings: timings)
    clip.seal = facts.seal
    return clip
}

/// How much an encoder is expected to raise peaks, in decibels: the fewer bits, the more (measured on speech and music;
/// what exceeds it is found by the check and costs a second rendering).
func encodingHeadroom(_ settings: MP3Settings, channels: Int) -> Decibels {
    switch settings.rate {
    case .constant(let kbps), .average(let kbps):
        Decibels(kbps / channels >= 128 ? 0.6 : kbps / channels >= 48 ? 0.8 : 1.2)
    case .variable(let quality): Decibels(quality <= 2 ? 0.6 : quality <= 5 ? 0.8 : 1.2)
    }
}

/// What reading the recording once tells.
private struct Facts {
    var analysis: ClipAnalysis
    var inputFormat: AudioFormat
    var input: Receipt.Input
    var notes: [Receipt.Note]
    var seal: FileSeal?
}

private func findFacts(
    _ request: ClipRequest, settings: MP3Settings, findsDigest: Bool, progress: @Sendable (ClipProgress) -> Void
) throws(AudioError) -> Facts {
    let source = request.source
    // Reading takes a quarter of the time that measuring does, so that more threads would only wait for it.
    let pool = try WorkerPool(threads: min(request.jobs - 1, 3))
    let digest = findsDigest && source.sha256.isEmpty ? InputDigest() : nil
    if let digest { pool.submit { digest.find(source.path, isUnwanted: $0) } }
    var reader = try ClipReader(source, downmix: nil) { request.preset.clipFormat(for: $0, settings: settings) }
    let seal = reader.seal
    try settings.validate(for: reader.format)
    let rumble = request.preset != .music
    let advance: (Double) -> Void = { progress(ClipProgress(step: .analyse, fraction: $0)) }
    var analysis = try analyse(&reader, name: source.name, removingRumble: rumble, pool: pool, progress: advance)
    if reader.suitableDownmix != analysis.downmix {
        // The channels cancel each other; that is known at the end only, and so rare that reading again is cheap.
        let format = reader.format
        reader = try ClipReader(source, downmix: reader.suitableDownmix) { _ in format }
        analysis = try analyse(&reader, name: source.name, removingRumble: rumble, pool: pool, progress: advance)
    }
    progress(ClipProgress(step: .analyse, fraction: 1))
    let input = Receipt.Input(
        name: source.name, sha256: try digest?.result() ?? source.sha256,
        seconds: reader.inputFormat.seconds(ofFrames: reader.inputFrames),
        sampleRate: reader.inputFormat.sampleRate, channels: reader.sourceChannels, format: reader.sourceFormat)
    var notes = reader.notes
    if reader.inputFormat.channels > reader.format.channels { notes.append(analysis.downmix.note) }
    if reader.inputFormat.sampleRate != reader.format.sampleRate {
        let text = "resampled from \(reader.inputFormat.sampleRate) Hz to \(reader.format.sampleRate) Hz"
        notes.append(Receipt.Note(code: "resampled", text: text))
    }
    if analysis.removesRumble {
        notes.append(Receipt.Note(code: "rumble-removed", text: "DC and rumble below 20 Hz were removed"))
    }
    return Facts(analysis: analysis, inputFormat: reader.inputFormat, input: input, notes: notes, seal: seal)
}

extension MonoDownmix {
    /// What the user should know of it.
    fileprivate var note: Receipt.Note {
        switch self {
        case .mean: Receipt.Note(code: "mixed-to-mono", text: "both channels were mixed to one")
        case .difference:
            Receipt.Note(
                code: "channel-inverted",
                text:
                    "one channel is the other upside down (a swapped wire?): it was turned round and both mixed to one")
        case .left, .right:
            Receipt.Note(
                code: "channels-cancel",
                text: "the channels cancel each other in places: only the \(rawValue) one was taken")
        }
    }
}

/// The request's settings when the clip fits with them, else the highest lower constant rate with which it does.
private func settingsThatFit(
    _ maximum: ByteCount, request: ClipRequest, settings: MP3Settings, plan: EditPlan, facts: Facts
) throws(AudioError) -> MP3Settings {
    let id3Bytes = request.tag.encodedBytes
    let analysed = facts.analysis.format
    let size = try MP3Size(frames: plan.frames.count, format: analysed, settings: settings, id3Bytes: id3Bytes)
    guard size.bytes > maximum else { return settings }
    var highest = 320
    if case .constant(let kbps) = settings.rate { highest = kbps - 1 }
    let rates = Set(MP3Settings.constantRates(at: 44100) + MP3Settings.constantRates(at: 22050))
    for kbps in rates.filter({ $0 <= highest }).sorted(by: >) {
        let candidate = MP3Settings(rate: .constant(kbps: kbps), quality: settings.quality)
        let format = request.preset.clipFormat(for: facts.inputFormat, settings: candidate)
        guard MP3Settings.constantRates(at: format.sampleRate).contains(kbps) else { continue }
        let frames = Resampler.frames(plan.frames.count, from: analysed.sampleRate, to: format.sampleRate)
        let size = try MP3Size(frames: frames, format: format, settings: candidate, id3Bytes: id3Bytes)
        if size.bytes <= maximum { return candidate }
    }
    throw .settings("a clip of this length does not fit into \(maximum), even at 8 kbps")
}
