internal import ChirpAudio

/// One of the encoders beside a recording, with what it has made so far and how that sounds.
///
/// A class, since several of them stand in an array.
final class EncoderLane {
    /// On top of the recording.
    let gain: Decibels
    let stream: LaneStream
    private var encoder: MP3Encoder?
    private var listener: MP3Listener?
    private var bytes: [UInt8] = []

    init(format: AudioFormat, settings: MP3Settings, gain: Decibels, spoolFolder: String) throws(AudioError) {
        let encoder = try MP3Encoder(format: format, settings: settings)
        let facts = encoder.facts
        self.gain = gain
        self.listener = try MP3Listener(format: format, encoderDelay: facts.encoderDelay)
        self.encoder = consume encoder
        stream = LaneStream(format: format, settings: settings, facts: facts, spoolFolder: spoolFolder)
    }

    /// - Parameter block: with the lane's gain.
    func write(_ block: borrowing AudioBlock) throws(AudioError) {
        try encoder?.encode(block, into: &bytes)
        try deliver()
    }

    /// Encodes what is left.
    func finish() throws(AudioError) -> GainVersion {
        try encoder.take()?.finish(into: &bytes)
        try deliver()
        stream.finish()
        let peaks = listener?.peaks ?? []
        return GainVersion(gain: gain, windows: listener.take()?.finish() ?? LevelWindows(), peaks: peaks)
    }

    /// How it sounds so far.
    var heard: GainVersion {
        GainVersion(gain: gain, windows: listener?.heard ?? LevelWindows(), peaks: listener?.peaks ?? [])
    }

    private func deliver() throws(AudioError) {
        try listener?.add(bytes.span)
        try stream.add(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
