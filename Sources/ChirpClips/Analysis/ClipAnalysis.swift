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
    public let windows: LevelWindows
    /// Where there is sound.
    public let gate: SilenceGate
    /// How two channels were made one, if they were.
    public let downmix: MonoDownmix
    /// What lies below 20 Hz was left out of the measurement and has to be removed from the clip.
    public let removesRumble: Bool

    public init(
        format: AudioFormat, frames: Int, windows: LevelWindows, removesRumble: Bool, downmix: MonoDownmix = .mean
    ) {
        self.format = format
        self.frames = frames
        self.windows = windows
        self.removesRumble = removesRumble
        self.downmix = downmix
        // Speech alone loses its rumble.
        gate = SilenceGate(windows, leastContrast: Decibels(removesRumble ? 12 : 35))
    }

    /// The frame at which a window begins; the end of the recording for the window after the last.
    public func frame(ofWindow index: Int) -> Int {
        index >= windows.count ? frames : LevelWindows.frame(ofWindow: index, sampleRate: format.sampleRate)
    }

    /// The highest sample peak in a range of windows.
    public func peak(in range: Range<Int>) -> Decibels {
        var highest = Decibels.silence
        for index in range where windows[index].peak > highest { highest = windows[index].peak }
        return highest
    }
}
