import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpDevices
import ChirpFlows
import Glibc

/// One take from the microphone: keys, signals and meter around ``record(_:into:rules:progress:)``.
struct TakeRecording: Sendable {
    /// The WAV to come; nothing is there yet.
    let path: String
    let device: DeviceName
    let rules: RecordingRules
    let session: Session

    /// - Returns: what came, and whether a signal ended it.
    /// - Throws: why it could not begin; nothing is left then. What fails later is in the report.
    func run() async throws -> (report: RecordingReport, wasInterrupted: Bool) {
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
        let (path, device, rules) = (path, device, rules)
        let outcome = try await Interruption.stops(
            { button.press() }, atOnce: { keyboard?.close() },
            {
                try await offPool {
                    var reader = try MicrophoneReader(device: device) { event in
                        if let line = event.line { view.note(line) }
                    }
                    let writer = try TakeWriter(path: path, format: reader.format)
                    button.adopt(reader.control)
                    view.note("Recording from '\(PlainText(reader.device, limit: 100))'. \(stop)")
                    let report = record(&reader, into: writer, rules: rules) { view.show($0) }
                    view.end()
                    return report
                }
            })
        if outcome.value.frames == 0 {
            unlink(path)
            throw outcome.value.failure
                ?? .nothingToHear(name: "the recording", reason: "it was stopped before anything came")
        }
        return (outcome.value, outcome.wasInterrupted)
    }
}
