internal import ChirpClips
internal import ChirpCore
package import ChirpFlows
internal import Synchronization

/// Turns what a flow tells into progress and notes on standard error.
package final class FlowReport: Sendable {
    private let console: Console
    private let view: ProgressView
    private let shown = Mutex<Set<Receipt.Note>>([])

    package init(console: Console, view: ProgressView) {
        self.console = console
        self.view = view
    }

    package func take(_ event: FlowEvent) {
        switch event {
        case .started(let step): view.advance(step.rawValue, to: 0)
        case .progress(let step, let fraction): view.advance(step.rawValue, to: fraction)
        case .finished(let step, let seconds):
            view.advance(step.rawValue, to: 1)
            console.detail("\(step.rawValue): \(Figures.number(seconds * 1000, places: 1)) ms")
        case .note(let note):
            guard isNew(note) else { return }
            console.tell(note)
        case .skipped(let what, let reason): console.note("skipped \(PlainText(what)): \(PlainText(reason))")
        }
    }

    /// Whether a note has not been shown yet; it counts as shown from now on.
    func isNew(_ note: Receipt.Note) -> Bool { shown.withLock { $0.insert(note).inserted } }
}
