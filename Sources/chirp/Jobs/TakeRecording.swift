import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpMP3
import Glibc

/// One take from the microphone: keys, signals and meter around ``record(_:into:rules:progress:)``.
struct TakeRecording: Sendable {
    /// The WAV to come; nothing is there yet.
    let path: String
    let device: DeviceName
    let rules: RecordingRules
    let session: Session
    /// What becomes of it, to be encoded while it is made; nil for a take alone.
    var request: ClipRequest?
    /// Where the clip goes when nothing more than that is needed.
    var clipPath = ""

    struct Outcome: Sendable {
        var report: RecordingReport
        /// Nil when the recording has to go the long way: limiting, fading, or a failure of the encoder.
        var clip: IncrementalOutcome.Made?
        /// From the last sample to the clip, in seconds.
        var seconds = 0.0
    }

    /// - Returns: what came, and whether a signal ended it.
    /// - Throws: why it could not begin; nothing is left then. What fails later is in the report.
    func run() async throws -> (outcome: Outcome, wasInterrupted: Bool) {
        let (button, view) = (StopButton(), RecordingView(console: session.console))
        let keyboard = Keyboard()
        defer { keyboard?.close() }
        let keys = keyboard?.keys
        let listener = Task {
            guard let keys else { return }
            for await key in keys where [.enter, .character(" "), .character("q")].contains(key) { button.press() }
        }
        defer { listener.cancel() }
        let stop = keyboard == nil ? "Ctrl-C stops it." : "Enter or space stops it."
        let job = self
        let outcome = try await Interruption.stops(
            { button.press() }, atOnce: { keyboard?.close() },
            {
                try await offPool {
                    var reader = try MicrophoneReader(device: job.device) { event in
                        if let line = event.line { view.note(line) }
                    }
                    let writer = try TakeWriter(path: job.path, format: reader.format)
                    button.adopt(reader.control)
                    view.note("Recording from '\(PlainText(reader.device, limit: 100))'. \(stop)")
                    var clip = job.liveClip(of: reader.format)
                    let report = record(&reader, into: writer, rules: job.rules, clip: &clip) { view.show($0) }
                    let clock = ContinuousClock()
                    let begin = clock.now
                    let (made, how) = job.finish(clip.take(), report)
                    let seconds = (clock.now - begin) / .seconds(1)
                    view.end()
                    if let how { job.session.console.detail(how) }
                    return Outcome(report: report, clip: made, seconds: seconds)
                }
            })
        if outcome.value.report.frames == 0 {
            unlink(path)
            throw outcome.value.report.failure
                ?? .nothingToHear(name: "the recording", reason: "it was stopped before anything came")
        }
        return (outcome.value, outcome.wasInterrupted)
    }

    /// Nil when there is no request, or such a clip cannot be made on the way.
    private func liveClip(of format: AudioFormat) -> IncrementalClip? {
        guard let request, request.maximumBytes == nil else { return nil }
        return try? IncrementalClip(
            recordingFormat: format, preset: request.preset, settings: request.settings, policy: request.policy,
            target: IncrementalTarget(path: clipPath, tag: request.tag), spoolFolder: session.paths.temporary)
    }

    /// - Returns: the clip, and how it comes about, for the curious; nil when none is wanted.
    private func finish(
        _ clip: consuming IncrementalClip?, _ report: RecordingReport
    ) -> (made: IncrementalOutcome.Made?, how: String?) {
        guard report.failure == nil, let request else { return (nil, nil) }
        let fromTake = "The clip is made from the take"
        switch consume clip {
        case nil: return (nil, fromTake)
        case let clip?:
            // What cannot be made now goes the long way, which says what is wrong if something is.
            switch try? clip.finish(name: request.source.name) {
            case .made(let made)?:
                return (made, "The clip was made beside the recording, \(ByteCount(made.stagedBytes)) of it on disk")
            case .needsRendering(let reason)?: return (nil, "\(fromTake): \(reason.rawValue)")
            case nil: return (nil, fromTake)
            }
        }
    }
}
