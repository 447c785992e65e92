import ChirpClips
import ChirpCommands
import ChirpFlows
import Glibc

extension Publishing {
    /// Publishes a take, notes its link beside it, and says what came of it. What is interrupted goes on in the outbox.
    static func publish(
        _ take: Take, in takes: TakeFolder, clip: ClipChoices, words: String?, again: Bool = false,
        recorded: RecordedClip? = nil, wiring: Wiring
    ) async throws {
        // What no publication has taken.
        defer { if let recorded { unlink(recorded.path) } }
        let console = wiring.session.console
        let view = console.progressView(ClipSteps.publishing)
        let job = Publishing(
            input: take.path, clip: clip, words: words, again: again, recorded: recorded, wiring: wiring,
            report: FlowReport(console: console, view: view))
        let receipt = try await Interruption.cancels(stopping: job.stop) {
            defer { view.end() }
            return try await job.receipt()
        }
        try takes.publish(take, link: receipt.store?.link ?? "")
        try job.show(receipt)
    }
}
