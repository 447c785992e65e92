public import ChirpAudio
public import ChirpClips
public import ChirpCodecs

/// Records until the reader ends, the rules say so, or something fails (W-1, CH-3). Blocking: a job off the pool.
///
/// Nothing that was read is lost: each piece of 20 ms is in the file before the next one is waited for, and a failure of the
/// device ends the take like a stop.
/// - Parameters:
///   - reader: a microphone; stopping it is how a recording is stopped.
///   - writer: of the reader's format.
///   - clip: encoded beside the recording, so that it is there soon after the end; becomes nil when that fails, which the
///     recording does not mind.
///   - progress: told after every piece, on this thread.
public func record<R: AudioReader & ~Copyable>(
    _ reader: inout R, into writer: consuming TakeWriter, rules: RecordingRules, clip: inout IncrementalClip?,
    progress: (RecordingProgress) -> Void = { _ in }
) -> RecordingReport {
    let format = reader.format
    let most = rules.maximumLength.map { format.frames(in: $0) }
    var block = AudioBlock(format: format, capacity: max(1, format.frames(in: .milliseconds(20))))
    var meter = LevelMeter()
    var watch = SilenceWatch()
    var end = RecordingReport.End.stopped
    var failure: AudioError?
    do throws(AudioError) {
        while try reader.read(into: &block) {
            if let most, writer.frames + block.frames > most { block.resize(toFrames: most - writer.frames) }
            guard writer.hasRoom(forFrames: block.frames) else {
                end = .full
                break
            }
            try writer.write(block)
            do throws(AudioError) { try clip?.write(block) } catch { clip = nil }
            let level = meter.measure(block)
            watch.add(level.rms, frames: block.frames)
            progress(
                RecordingProgress(
                    seconds: format.seconds(ofFrames: writer.frames),
                    left: most.map { format.seconds(ofFrames: $0 - writer.frames) }, level: level,
                    clipped: meter.clippedInAll))
            if let most, writer.frames >= most {
                end = .length
                break
            }
            if let silence = rules.stopOnSilence, watch.isOver(after: format.frames(in: silence)) {
                end = .silence
                break
            }
        }
    } catch {
        end = .failed
        failure = error
    }
    let frames = writer.frames
    do throws(AudioError) { try writer.finish() } catch {
        end = .failed
        failure = failure ?? error
    }
    return RecordingReport(
        format: format, frames: frames, clipped: meter.clippedInAll, end: end, failure: failure)
}

/// The same without a clip.
public func record<R: AudioReader & ~Copyable>(
    _ reader: inout R, into writer: consuming TakeWriter, rules: RecordingRules,
    progress: (RecordingProgress) -> Void = { _ in }
) -> RecordingReport {
    var clip: IncrementalClip?
    return record(&reader, into: writer, rules: rules, clip: &clip, progress: progress)
}

/// How a recording goes, told with every 20 ms of it.
public struct RecordingProgress: Hashable, Sendable {
    /// Recorded so far, in seconds.
    public let seconds: Double
    /// Until the longest length is reached, in seconds; nil when there is none.
    public let left: Double?
    /// Of the latest 20 ms.
    public let level: LevelMeter.Reading
    /// Clipped samples since the beginning.
    public let clipped: Int
}

/// When a recording ends by itself.
public struct RecordingRules: Hashable, Sendable {
    /// No longer than this, to the frame; nil means as long as a WAV can be.
    public var maximumLength: Duration?
    /// Once something was heard: after so much silence. Nil means never.
    public var stopOnSilence: Duration?

    public init(maximumLength: Duration? = nil, stopOnSilence: Duration? = nil) {
        self.maximumLength = maximumLength
        self.stopOnSilence = stopOnSilence
    }
}
