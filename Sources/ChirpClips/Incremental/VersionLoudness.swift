internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpMP3
internal import Synchronization

/// How loud a recording and its versions are, asked while it goes on and at its end.
final class VersionLoudness: Sendable {
    /// Of the recording itself, then of the versions.
    private let levels: Mutex<[RunningLoudness]>

    init(versions count: Int) { levels = Mutex(Array(repeating: RunningLoudness(), count: 1 + count)) }

    /// What will be done to the recording: as ``EditPlan/init(_:policy:headroom:)``.
    func plan(_ analysis: ClipAnalysis, policy: EditPolicy, headroom: Decibels) -> EditPlan {
        EditPlan(analysis, policy: policy, headroom: headroom) { range in
            levels.withLock { $0[0].loudness(of: range, in: analysis.windows, channels: analysis.format.channels) }
        }
    }

    /// How loud a part of a version is; nil for silence.
    ///
    /// - Parameters:
    ///   - number: of the version.
    ///   - part: frames.
    func loudness(of version: GainVersion, _ number: Int, in part: Range<Int>, format: AudioFormat) -> LUFS? {
        let windows =
            LevelWindows.window(
                atFrame: part.lowerBound, sampleRate: format.sampleRate)..<LevelWindows.window(
                atFrame: part.upperBound, sampleRate: format.sampleRate)
        return levels.withLock { levels in
            levels[1 + number].loudness(
                of: windows.clamped(to: 0..<version.windows.count), in: version.windows, channels: format.channels
            ).loudness
        }
    }
}
