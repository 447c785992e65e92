public import ChirpAudio

/// How a finished MP3 sounds: its own frames, decoded again and measured (ITU-R BS.1770-4).
public struct MP3Measurement: Hashable, Sendable {
    /// PCM frames that a gapless decoder gives back.
    public var frames: Int
    /// Gated over the whole signal, mono counted on both channels; nil for silence and below 400 ms.
    public var integrated: LUFS?
    /// Not gated, over all there is; nil for silence (below -70 LUFS).
    public var ungated: LUFS?
    /// Minus infinity for digital silence.
    public var truePeak: Decibels
    /// What measuring took in seconds, on all threads together.
    public var seconds: Double
    /// The highest magnitudes of equally long stretches, 1 being full scale: 10 ms each up to ten minutes, 100 ms beyond; empty when
    /// it was not asked for.
    public var outline: [Float]

    /// What a clip's loudness is: integrated, or over all there is when it is shorter than 400 ms.
    public var best: LUFS? { integrated ?? ungated }

    /// - Parameter frames: PCM frames that a gapless decoder gives back.
    public init(
        frames: Int, integrated: LUFS?, ungated: LUFS?, truePeak: Decibels, seconds: Double = 0, outline: [Float] = []
    ) {
        self.frames = frames
        self.integrated = integrated
        self.ungated = ungated
        self.truePeak = truePeak
        self.seconds = seconds
        self.outline = outline
    }
}
