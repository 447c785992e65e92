internal import ChirpAudio
internal import ChirpCodecs

/// A short clip of a voice as one channel of samples, at the rate of what it is laid over.
struct VoiceSamples {
    let samples: [Float]
    /// As heard on two channels; nil for silence.
    let loudness: LUFS?

    /// - Throws: what the reader throws; `nothingToHear` for silence.
    init(path: String, name: String, sampleRate: Int) throws(AudioError) {
        var file = try AudioFile(opening: path, name: name)
        let format = AudioFormat(sampleRate: file.format.sampleRate, channels: 1)
        let most = AudioFormat(sampleRate: sampleRate, channels: 1).frames(in: VoiceOverlay.longest)
        var resampler = format.sampleRate == sampleRate ? nil : try Resampler(from: format, to: sampleRate)
        var meter = LoudnessMeter(format: AudioFormat(sampleRate: sampleRate, channels: 1), truePeak: false)
        var block = AudioBlock(format: file.format)
        var mono = AudioBlock(format: format)
        var out = AudioBlock(format: AudioFormat(sampleRate: sampleRate, channels: 1))
        var samples: [Float] = []
        func append(_ block: borrowing AudioBlock) {
            block.withPlane(0) { plane in plane.withUnsafeBufferPointer { samples.append(contentsOf: $0) } }
            meter.add(block)
        }
        while samples.count < most, try file.read(into: &block) {
            mix(block, into: &mono)
            guard resampler != nil else {
                append(mono)
                continue
            }
            resampler?.add(mono)
            while try resampler?.take(into: &out) ?? false { append(out) }
        }
        while samples.count < most, try resampler?.drain(into: &out) ?? false { append(out) }
        guard let loudness = meter.result().best else { throw .nothingToHear(name: name, reason: "it is silent") }
        self.samples = Array(samples.prefix(most))
        self.loudness = loudness
    }
}
