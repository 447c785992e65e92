package import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
package import ChirpMusic

/// What is heard in the master of a track, once, when it arrives.
package struct MasterFacts: Codable, Hashable, Sendable {
    /// Decoded, never a header's promise.
    package let seconds: Double
    package let sampleRate: Int
    /// Of the file, before any mixing down.
    package let channels: Int
    /// Container and coding, for example `WAV PCM 16`.
    package let format: String
    /// In LUFS, as heard on two loudspeakers; nil for silence.
    package let loudness: Double?
    /// In LU; nil when there is too little to tell.
    package let range: Double?
    /// In dBTP; nil for digital silence.
    package let truePeak: Double?
    /// When the loudest second begins, in seconds: what a voice in a preview leaves alone.
    package let loudestSecond: Double
    /// By what the recording is known again, ...
    package let trace: RecordingTrace?
    /// ... or why it is not.
    package let noTrace: RecordingPrint.Refusal?
    /// Tempo, beats, key and what it is like; nil for silence, and for what is too short to have any of it.
    package let profile: SoundProfile?

    /// Reads a master to its end, in bounded memory.
    ///
    /// - Throws: ``AudioError``; `nothingToHear` for one without any sample.
    package init(hearing path: String, name: String) throws(AudioError) {
        var limits = ReaderLimits.default
        limits.maximumLength = PreviewRules.longestMaster
        var file = try AudioFile(opening: path, name: name, limits: limits)
        let format = file.format
        var meter = LoudnessMeter(format: format)
        var windows = LevelWindowMeter(format: format, removingRumble: false)
        var mono = try MonoSamples(from: format.sampleRate, to: RecordingPrint.rate, longest: RecordingPrint.longest)
        var block = AudioBlock(format: format)
        var one = AudioBlock(format: AudioFormat(sampleRate: format.sampleRate, channels: 1))
        var music = try? MusicAnalysis(rate: format.sampleRate)
        while try file.read(into: &block) {
            guard !Task.isCancelled else { throw .cancelled }
            meter.add(block)
            windows.add(block)
            mix(block, into: &one)
            try mono.add(one)
            one.withPlane(0) { plane in music?.append(plane) }
        }
        let frames = windows.frames
        guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
        let analysis = ClipAnalysis(
            format: format, frames: frames, windows: windows.finish(), removesRumble: false)
        let loudness = meter.result()
        seconds = format.seconds(ofFrames: frames)
        sampleRate = format.sampleRate
        channels = file.sourceChannels
        self.format = PlainText(file.sourceFormat, limit: 60).value
        self.loudness = loudness.best?.value
        range = loudness.range
        truePeak = loudness.truePeak.flatMap { $0.value.isFinite ? $0.value : nil }
        loudestSecond = analysis.loudestSecond
        let samples = try mono.finish()
        let found = Result { () throws(RecordingPrint.Refusal) in try RecordingTrace(of: samples.span) }
        trace = try? found.get()
        if case .failure(let refusal) = found { noTrace = refusal } else { noTrace = nil }
        profile = try? music?.finish()
    }

    /// Whether this program could have found it: another process is not believed.
    package var isPossible: Bool {
        seconds > 0 && seconds <= PreviewRules.longestMaster / .seconds(1) + 1
            && ReaderLimits.default.sampleRates.contains(sampleRate) && (1...8).contains(channels)
            && format.unicodeScalars.count <= 60 && PlainText(format, limit: 60).value == format
            && [loudness, truePeak].allSatisfy { ($0 ?? 0) >= -400 && ($0 ?? 0) <= 110 }
            && (range.map { (0...400).contains($0) } ?? true) && (0...seconds).contains(loudestSecond)
            && (trace == nil) == (noTrace != nil) && trace?.isPossible(for: seconds) != false
            && profile?.isPossible(for: seconds) != false
    }
}
