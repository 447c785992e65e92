import ChirpCommands
import ChirpFlows
import Synchronization

/// The progress of a batch on standard error: a line that is drawn anew on a terminal, a line per tenth in the plain manner.
/// Called from any thread; draws at most ten times a second.
final class BatchView: Sendable {
    private struct State {
        var drawn: ContinuousClock.Instant?
        var isDrawn = false
        var tenth = 0
        var isOver = false
    }

    private let style: ProgressStyle
    private let state = Mutex(State())

    /// - Parameter style: ``ProgressStyle/auto`` draws; ask ``Terminal/canDraw(_:)`` before.
    init(style: ProgressStyle) { self.style = style }

    func show(_ pace: BatchProgress) {
        guard style != .none, pace.files > 0 else { return }
        state.withLock { state in
            guard !state.isOver else { return }
            if style == .plain {
                let tenth = Int(pace.fraction * 10)
                guard tenth > state.tenth else { return }
                state.tenth = tenth
                Terminal.tell(BatchFormatter.progress(pace) + "\n")
            } else {
                let now = ContinuousClock.now
                guard state.drawn.map({ now - $0 >= .milliseconds(100) }) ?? true else { return }
                state.drawn = now
                state.isDrawn = true
                Terminal.tell("\r\(BatchFormatter.progress(pace).prefix(Terminal.columns - 1))\u{1B}[K")
            }
        }
    }

    /// Writes something else in between.
    func interrupt(_ body: () -> Void) {
        clear()
        body()
    }

    /// Removes the line until there is something new to show.
    func clear() { state.withLock { clear(&$0) } }

    /// Removes the line for good.
    func end() {
        state.withLock { state in
            clear(&state)
            state.isOver = true
        }
    }

    private func clear(_ state: inout State) {
        if state.isDrawn { Terminal.tell("\r\u{1B}[K") }
        state.isDrawn = false
    }
}
