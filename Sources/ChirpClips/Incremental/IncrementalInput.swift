internal import ChirpAudio
internal import ChirpCodecs

/// Brings blocks of a recording into the format of its clip: mixed and resampled as ``ClipReader`` does.
struct IncrementalInput: ~Copyable {
    private var mixed: AudioBlock
    private var position = 0
    private var resampler: Resampler?
    private var polarity: PolarityMeter?

    init(from recording: AudioFormat, to format: AudioFormat) throws(AudioError) {
        let mixedFormat = AudioFormat(sampleRate: recording.sampleRate, channels: format.channels)
        resampler =
            recording.sampleRate == format.sampleRate ? nil : try Resampler(from: mixedFormat, to: format.sampleRate)
        mixed = AudioBlock(format: mixedFormat)
        let isMixed = recording.channels == 2 && format.channels == 1
        polarity = isMixed ? PolarityMeter(sampleRate: recording.sampleRate) : nil
    }

    /// How the channels should have been mixed so far; they were, by their mean.
    var suitableDownmix: MonoDownmix { polarity?.downmix ?? .mean }

    /// Takes a block; ask ``take(into:)`` until there is nothing before giving the next.
    mutating func add(_ block: borrowing AudioBlock) {
        if mixed.capacity < block.frames { mixed = AudioBlock(format: mixed.format, capacity: block.frames) }
        polarity?.add(block)
        mix(block, into: &mixed)
        position = 0
        resampler?.add(mixed)
    }

    /// - Returns: false when nothing is ready.
    mutating func take(into block: inout AudioBlock) throws(AudioError) -> Bool {
        if let isMore = try resampler?.take(into: &block) { return isMore }
        let count = min(block.capacity, mixed.frames - position)
        block.resize(toFrames: count)
        for channel in 0..<mixed.format.channels {
            mixed.withPlane(channel) { from in
                block.withMutablePlane(channel) { to in
                    for index in to.indices { to[index] = from[position + index] }
                }
            }
        }
        position += count
        return count > 0
    }

    /// The recording has ended: gives what is still inside.
    mutating func drain(into block: inout AudioBlock) throws(AudioError) -> Bool {
        try resampler?.drain(into: &block) ?? false
    }
}
