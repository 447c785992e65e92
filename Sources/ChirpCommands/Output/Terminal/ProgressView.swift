internal import ArgumentParser
internal import Synchronization

/// The progress of one job on standard error: a bar on a terminal, a line per step in the plain manner.
///
/// Steps have weights, since they take differently long: what counts is audio seconds times the cost of a step. Time left
/// is shown from one second on, when there is something to extrapolate from. Called from any thread; draws at most 20
/// times a second.
package final class ProgressView: Sendable {
    /// A part of the job and its share of the whole.
    package struct Step: Hashable, Sendable {
        var name: String
        var weight: Double

        package init(name: String, weight: Double) { (self.name, self.weight) = (name, weight) }
    }

    private struct State {
        var step = -1
        var fraction = 0.0
        var drawn: ContinuousClock.Instant?
        var isDrawn = false
    }

    private let steps: [Step]
    private let style: ProgressStyle
    private let started: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let columns: Int
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter style: ``ProgressStyle/auto`` draws the bar; ask ``Terminal/canDraw(_:)`` before.
    package init(
        steps: [Step], style: ProgressStyle, columns: Int = Terminal.columns,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        write: @escaping @Sendable (String) -> Void = { Terminal.tell($0) }
    ) {
        self.steps = steps
        self.style = style
        self.columns = columns
        self.now = now
        self.write = write
        started = now()
    }

    /// - Parameter fraction: of this step, 0...1; it never goes back.
    package func advance(_ name: String, to fraction: Double) {
        guard style != .none, let index = steps.firstIndex(where: { $0.name == name }) else { return }
        state.withLock { state in
            guard index >= state.step else { return }
            let isNew = index > state.step
            state.fraction = isNew ? fraction : max(state.fraction, fraction)
            state.step = index
            let instant = now()
            if style == .plain {
                if isNew { write("\(name) ...\n") }
            } else if isNew || state.drawn.map({ instant - $0 >= .milliseconds(50) }) ?? true {
                state.drawn = instant
                state.isDrawn = true
                write("\r\(bar(state, elapsed: instant - started))\u{1B}[K")
            }
        }
    }

    /// Removes the bar, so that the next line begins at the left.
    package func end() {
        state.withLock { state in
            if state.isDrawn { write("\r\u{1B}[K") }
            state.isDrawn = false
            state.step = steps.count
        }
    }

    private func bar(_ state: State, elapsed: Duration) -> String {
        let total = steps.reduce(0) { $0 + $1.weight }
        let before = steps.prefix(state.step).reduce(0) { $0 + $1.weight }
        let done = min(max((before + steps[state.step].weight * state.fraction) / total, 0), 1)
        var words = " \(Int(done * 100)) % \(steps[state.step].name)"
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        if seconds > 1, done > 0.02 {
            let left = Int((seconds / done * (1 - done)).rounded(.up))
            words += ", \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
        }
        let width = min(max(columns - words.count - 3, 0), 40)
        guard width >= 8 else { return words }
        let filled = Int(Double(width) * done)
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]" + words
    }
}

/// The steps of making a clip and their shares of the time, from profiles of 140 s of speech: encoding is nearly all, and what it made is verified meanwhile.
package enum ClipSteps {
    package static let making = [
        ProgressView.Step(name: "analyse", weight: 0.1),
        ProgressView.Step(name: "render", weight: 0.88),
        ProgressView.Step(name: "verify", weight: 0.02),
    ]
    package static let publishing =
        making + [
            ProgressView.Step(name: "upload", weight: 0.1),
            ProgressView.Step(name: "post", weight: 0.02),
        ]
}

/// How the progress of long work is shown on standard error.
package enum ProgressStyle: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    /// A bar when standard error is a terminal, otherwise nothing.
    case auto
    /// A line of words per step, for logs and screen readers.
    case plain
    case none
}
