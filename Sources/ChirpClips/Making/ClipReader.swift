internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpFiles

/// A recording in the format of its clip: decoded, mixed to the clip's channels, resampled to its rate.
struct ClipReader: ~Copyable, AudioReader {
    let format: AudioFormat
    /// Of the recording, before anything.
    let inputFormat: AudioFormat
    let sourceFormat: String
    let sourceChannels: Int

    private var file: AudioFile
    private var raw: AudioBlock
    private var mixed: AudioBlock
    private var resampler: Resampler?
    /// How stereo becomes mono.
    let downmix: MonoDownmix
    private var polarity: PolarityMeter?
    private var fileIsEnded = false
    /// Lays a voice over what comes out.
    private var voice: VoiceMixer?
    /// Frames read from the recording.
    private(set) var inputFrames = 0

    /// - Parameters:
    ///   - downmix: how stereo becomes mono; nil by the mean, while looking for what would suit better.
    ///   - format: of the clip, for that of the recording.
    init(
        _ source: ClipSource, downmix: MonoDownmix?, format choose: (AudioFormat) -> AudioFormat
    ) throws(AudioError) {
        let file = try AudioFile(opening: source.path, name: source.name)
        let format = choose(file.format)
        let mixedFormat = AudioFormat(sampleRate: file.format.sampleRate, channels: format.channels)
        let resampler =
            format.sampleRate == file.format.sampleRate ? nil : try Resampler(from: mixedFormat, to: format.sampleRate)
        let voice: VoiceMixer?
        if let overlay = source.overlay {
            voice = try VoiceMixer(overlay, sampleRate: format.sampleRate)
        } else {
            voice = nil
        }
        self.voice = consume voice
        self.downmix = downmix ?? .mean
        let isMixed = downmix == nil && file.format.channels == 2 && format.channels == 1
        polarity = isMixed ? PolarityMeter(sampleRate: file.format.sampleRate) : nil
        self.format = format
        inputFormat = file.format
        sourceFormat = file.sourceFormat
        sourceChannels = file.sourceChannels
        raw = AudioBlock(format: file.format)
        mixed = AudioBlock(format: mixedFormat)
        self.resampler = resampler
        self.file = file
    }

    /// What the system says of the file now.
    var seal: FileSeal? { file.seal }

    /// How much of the recording was read, 0...1 as far as its header tells; for a progress view.
    var fraction: Double {
        guard let announced = file.announcedLength, announced > 0 else { return 0 }
        return min(1, Double(inputFrames) / Double(announced))
    }

    /// How the channels read so far should be mixed.
    var suitableDownmix: MonoDownmix { polarity?.downmix ?? downmix }

    var length: Int? {
        resampler == nil ? file.length : nil
    }

    /// What the file's reader noticed; complete at the end.
    var notes: [Receipt.Note] { file.notes.map { Receipt.Note(code: $0.code, text: $0.text) } }

    mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        guard try readRecording(into: &block) else { return false }
        voice?.process(&block)
        return true
    }

    private mutating func readRecording(into block: inout AudioBlock) throws(AudioError) -> Bool {
        guard resampler != nil else {
            return try readFile(&file, &raw, into: &block, by: downmix, &polarity, count: &inputFrames)
        }
        while true {
            if let more = try resampler?.take(into: &block), more { return true }
            guard !fileIsEnded else { return try resampler?.drain(into: &block) ?? false }
            if try readFile(&file, &raw, into: &mixed, by: downmix, &polarity, count: &inputFrames) {
                resampler?.add(mixed)
            } else {
                fileIsEnded = true
            }
        }
    }

    /// Leaves out frames up to that one; only ever forwards.
    mutating func skip(toFrame frame: Int) throws(AudioError) {
        guard frame > 0 else { return }
        if resampler == nil {
            try file.seek(toFrame: frame)
            inputFrames = frame
            voice?.position = frame
            return
        }
        // The resampler must have seen what lies before, so that the same samples come out as in the analysis.
        var left = frame
        while left > 0 {
            var block = AudioBlock(format: format, capacity: min(left, AudioBlock.usualCapacity))
            guard try read(into: &block) else { return }
            left -= block.frames
        }
    }
}

/// The next frames of a file, in the channels of the block.
private func readFile(
    _ file: inout AudioFile, _ raw: inout AudioBlock, into block: inout AudioBlock, by downmix: MonoDownmix,
    _ polarity: inout PolarityMeter?, count: inout Int
) throws(AudioError) -> Bool {
    if block.format == file.format {
        guard try file.read(into: &block) else { return false }
    } else {
        if raw.capacity != block.capacity { raw = AudioBlock(format: file.format, capacity: block.capacity) }
        guard try file.read(into: &raw) else {
            block.resize(toFrames: 0)
            return false
        }
        polarity?.add(raw)
        mix(raw, into: &block, by: downmix)
    }
    count += block.frames
    return true
}
