internal import ChirpAudio
internal import ChirpCodecs
internal import Synchronization

/// How loud a recording and its versions are, asked while it goes on and at its end.
final class LiveCourses: Sendable {
    /// Of the recording itself, then of the versions.
    private let courses: Mutex<[LoudnessCourse]>

    init(versions count: Int) { courses = Mutex(Array(repeating: LoudnessCourse(), count: 1 + count)) }

    /// What will be done to the recording: as ``EditPlan/init(_:policy:headroom:)``.
    func plan(_ analysis: ClipAnalysis, policy: EditPolicy, headroom: Decibels) -> EditPlan {
        EditPlan(analysis, policy: policy, headroom: headroom) { range in
            courses.withLock { $0[0].loudness(of: range, in: analysis.moments, channels: analysis.format.channels) }
        }
    }

    /// How loud a part of a version is; nil for silence.
    ///
    /// - Parameters:
    ///   - number: of the version.
    ///   - part: frames.
    func loudness(of version: LiveVersion, _ number: Int, in part: Range<Int>, format: AudioFormat) -> LUFS? {
        let moments =
            Moments.moment(
                atFrame: part.lowerBound, sampleRate: format.sampleRate)..<Moments.moment(
                atFrame: part.upperBound, sampleRate: format.sampleRate)
        return courses.withLock { courses in
            courses[1 + number].loudness(
                of: moments.clamped(to: 0..<version.moments.count), in: version.moments, channels: format.channels
            ).loudness
        }
    }
}
