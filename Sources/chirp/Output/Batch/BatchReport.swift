import ChirpAudio
import ChirpClips
import ChirpCommands
import ChirpCore
import ChirpFlows
import Synchronization

/// Turns what a batch tells into lines of JSON on standard output, or words for people.
final class BatchReport: Sendable {
    private let console: Console
    private let isDryRun: Bool
    private let isWatching: Bool
    private let view: BatchView
    private let broken = Mutex<OutputError?>(nil)
    /// Notes about single files that wait to be told as one line.
    private let notes = Mutex(BatchNotes())

    init(console: Console, isDryRun: Bool, isWatching: Bool) {
        self.console = console
        self.isDryRun = isDryRun
        self.isWatching = isWatching
        view = BatchView(style: console.progress == .auto && !console.canDraw ? .none : console.progress)
    }

    /// Why standard output could not be written.
    var failure: OutputError? { broken.withLock { $0 } }

    /// - Returns: false when nobody reads standard output any more.
    func take(_ event: BatchEvent) -> Bool {
        do throws(OutputError) {
            switch event {
            case .listed(let pace):
                tellNotes()
                try answer(BatchLine.Listed(files: pace.files, seconds: pace.seconds))
                if !isDryRun { view.show(pace) }
            case .progress(let pace): view.show(pace)
            case .note(let note):
                if BatchNotes.isOfFile(note) {
                    view.interrupt { console.detail("note: \(PlainText(note.text))") }
                    notes.withLock { $0.add(note) }
                } else {
                    view.interrupt { console.tell(note) }
                }
            case .file(let result): try tell(result)
            case .watching:
                view.clear()
                tellNotes()
                try answer(BatchLine.Watching())
            }
            return true
        } catch {
            broken.withLock { $0 = error }
            return false
        }
    }

    private func tell(_ result: BatchResult) throws(OutputError) {
        try answer(BatchLine(result))
        let path = PlainText(result.path.text, limit: 1000)
        if case .failed(let error) = result.outcome, !error.detail.isEmpty {
            view.interrupt { console.detail("\(path): \(error.detail)") }
        }
        switch result.outcome {
        case .planned:
            try console.say("\(path) -> \(PlainText(result.output?.text ?? "", limit: 1000))")
        case .ignored(let reason):
            view.interrupt { console.detail("left out \(path): \(PlainText(reason))") }
        case .made(let receipt):
            view.interrupt {
                let words = ReceiptFormatter(receipt).summary
                if isWatching { console.note(words) } else { console.detail(words) }
                receipt.notes.forEach { console.detail("\(path): \(PlainText($0.text))") }
            }
        case .silent(let reason):
            view.interrupt {
                let words = "silent \(path): \(PlainText(reason))"
                if isWatching { console.note(words) } else { console.detail(words) }
            }
        case .failed(let error) where isWatching: view.interrupt { tellFailure(path, error.whatHappened) }
        case .unchanged, .failed: break
        }
    }

    /// What was noted about several files, in a line for each kind; the single ones were told to the curious.
    private func tellNotes() {
        let lines = notes.withLock { $0.take() }
        guard !console.verbose else { return }
        view.interrupt { lines.forEach { console.note("note: \($0)") } }
    }

    /// Removes the bar.
    func end() { view.end() }

    /// The last words: failures with their reasons, then the numbers.
    func conclude(_ summary: BatchSummary) throws {
        for failure in summary.failures {
            tellFailure(PlainText(failure.path.text, limit: 1000), failure.reason)
        }
        console.note(BatchFormatter(summary).summary)
        try answer(BatchLine.Summary(summary))
    }

    private func tellFailure(_ path: PlainText, _ reason: String) {
        Terminal.tell("\(console.paint("failed", .red)) \(path): \(PlainText(reason))\n")
    }

    private func answer(_ document: some Encodable) throws(OutputError) {
        guard console.json else { return }
        let line: String
        do { line = try Console.line(document) } catch { throw .failed(reason: "\(error)") }
        try Terminal.write(line + "\n")
    }
}
