public import ChirpAudio

/// Encodes while a recording is made, at several gains beside each other, so that its loudness can still be chosen when it
/// has ended: the nearest version is patched by ``GlobalGainPatch``. One thread at a time.
///
/// Memory is bounded: 4 MiB of each stream, what goes beyond in files without a name, and 1.7 kB per second of
/// measurements.
public struct LiveMP3Encoder: ~Copyable {
    public let format: AudioFormat
    public let settings: MP3Settings
    /// PCM frames taken so far.
    public private(set) var frames = 0
    private let lanes: [LiveLane]
    private var scratch: AudioBlock

    /// Three gains that together with ``GlobalGainPatch`` come within 0.25 dB of any other.
    public static func gains(around middle: Decibels) -> [Decibels] {
        let third = GlobalGainPatch.step.value / 3
        return [-third, 0, third].map { middle + Decibels($0) }
    }

    /// - Parameters:
    ///   - format: of the blocks and of the MP3.
    ///   - gains: of the streams, one or more; see ``gains(around:)``. Each costs as much as an encoder and a decoder.
    ///   - spoolFolder: for what does not fit in memory.
    /// - Throws: what ``MP3Settings/validate(for:)`` says.
    public init(
        format: AudioFormat, settings: MP3Settings, gains: [Decibels], spoolFolder: String = "/tmp"
    ) throws(AudioError) {
        precondition(!gains.isEmpty)
        var lanes: [LiveLane] = []
        for gain in gains {
            lanes.append(try LiveLane(format: format, settings: settings, gain: gain, spoolFolder: spoolFolder))
        }
        self.format = format
        self.settings = settings
        self.lanes = lanes
        scratch = AudioBlock(format: format)
    }

    /// - Parameter block: of the encoder's ``format``.
    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        precondition(block.format == format)
        if scratch.capacity < block.frames { scratch = AudioBlock(format: format, capacity: block.frames) }
        for lane in lanes {
            amplify(block, by: Float(lane.gain.amplitude), into: &scratch)
            try lane.write(scratch)
        }
        frames += block.frames
    }

    /// Encodes what is left; what was made can then be chosen from.
    public consuming func finish() throws(AudioError) -> LiveRecording {
        var versions: [LiveVersion] = []
        for lane in lanes { versions.append(try lane.finish()) }
        return LiveRecording(format: format, settings: settings, frames: frames, versions: versions, lanes: lanes)
    }
}

private func amplify(_ source: borrowing AudioBlock, by gain: Float, into target: inout AudioBlock) {
    target.resize(toFrames: source.frames)
    for channel in 0..<source.format.channels {
        source.withPlane(channel) { from in
            target.withMutablePlane(channel) { to in
                for index in to.indices { to[index] = from[index] * gain }
            }
        }
    }
}
