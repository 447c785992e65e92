public import ChirpAudio

/// The facts about a recording, as the clip's channels and sample rate would hear it, before any editing.
///
/// Four bytes per 10 ms, so a day of audio fits into 35 MB and an hour into 1.4 MB.
public struct ClipAnalysis: Hashable, Sendable {
    /// What was analysed: the recording mixed and resampled to the clip's format.
    public let format: AudioFormat
    /// How long it is, in frames of ``format``.
    public let frames: Int
    /// Loudness, level and peak of every 10 ms.
    public let moments: Moments
    /// Where there is sound.
    public let gate: SilenceGate
    /// How two channels were made one, if they were.
    public let downmix: MonoDownmix
    /// What lies below 20 Hz was left out of the measurement and has to be removed from the clip.
    public let removesRumble: Bool

    public init(
        format: AudioFormat, frames: Int, moments: Moments, removesRumble: Bool, downmix: MonoDownmix = .mean
    ) {
        self.format = format
        self.frames = frames
        self.moments = moments
        self.removesRumble = removesRumble
        self.downmix = downmix
        // Speech alone loses its rumble.
        gate = SilenceGate(moments, leastContrast: Decibels(removesRumble ? 12 : 35))
    }

    /// The frame at which a moment begins; the end of the recording for the moment after the last.
    public func frame(ofMoment index: Int) -> Int {
        index >= moments.count ? frames : Moments.frame(ofMoment: index, sampleRate: format.sampleRate)
    }

    /// The highest sample peak in a range of moments.
    public func peak(in range: Range<Int>) -> Decibels {
        var highest = Decibels.silence
        for index in range where moments[index].peak > highest { highest = moments[index].peak }
        return highest
    }
}
