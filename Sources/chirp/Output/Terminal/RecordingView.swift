import ChirpAudio
import ChirpCommands
import ChirpFlows
import Synchronization

/// A running recording on standard error: a level meter on a terminal, a line every ten seconds in the plain manner.
///
/// The bar spans -60 to 0 dBFS; it shows the RMS level, with a mark at the highest sample of the last second. Called from the
/// recording's thread; draws at most 20 times a second.
final class RecordingView: Sendable {
    private struct State {
        var drawn: ContinuousClock.Instant?
        var isDrawn = false
        var told = 0.0
        /// Highest sample, and when it fades.
        var held = Decibels.silence
        var heldUntil = 0.0
        var clippedUntil = 0.0
        var clipped = 0
    }

    private let style: ProgressStyle
    private let console: Console
    private let columns: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(
        console: Console, columns: Int = Terminal.columns,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        write: @escaping @Sendable (String) -> Void = { Terminal.tell($0) }
    ) {
        self.console = console
        self.columns = columns
        self.now = now
        self.write = write
        style = console.progress == .auto && !console.canDraw ? .none : console.progress
    }

    func show(_ progress: RecordingProgress) {
        guard style != .none else { return }
        state.withLock { state in
            if progress.level.peak > state.held || progress.seconds >= state.heldUntil {
                state.held = progress.level.peak
                state.heldUntil = progress.seconds + 1
            }
            if progress.clipped > state.clipped { state.clippedUntil = progress.seconds + 2 }
            state.clipped = progress.clipped
            if style == .plain {
                guard progress.seconds >= state.told + 10 else { return }
                state.told = progress.seconds
                write(words(progress) + "\n")
                return
            }
            let instant = now()
            if let drawn = state.drawn, instant - drawn < .milliseconds(50) { return }
            state.drawn = instant
            state.isDrawn = true
            write("\r\(bar(progress, state))\u{1B}[K")
        }
    }

    /// Takes the meter away, writes a line, and lets the next reading draw it again.
    func note(_ text: String) {
        end()
        console.note(text)
    }

    /// Removes the meter, so that the next line begins at the left.
    func end() {
        state.withLock { state in
            if state.isDrawn { write("\r\u{1B}[K") }
            state.isDrawn = false
            state.drawn = nil
        }
    }

    private func words(_ progress: RecordingProgress) -> String {
        var line = "\(Figures.clock(progress.seconds)) recorded, \(level(progress.level.rms)) dBFS"
        if progress.clipped > 0 { line += ", \(progress.clipped) samples clipped" }
        if let left = progress.left { line += ", \(Figures.clock(left)) left" }
        return line
    }

    private func bar(_ progress: RecordingProgress, _ state: State) -> String {
        let isClipped = progress.seconds < state.clippedUntil
        let before = "rec \(Figures.clock(progress.seconds)) "
        var after = " \(level(progress.level.rms).leftPadded(to: 5)) dBFS"
        let mark = isClipped ? " CLIP" : progress.clipped > 0 ? " clip" : ""
        let left = progress.left.map { " \(Figures.clock($0)) left" } ?? ""
        let width = min(40, columns - before.count - after.count - mark.count - left.count - 3)
        if isClipped { after += console.paint(mark, .red) } else { after += mark }
        guard width >= 8 else { return before + after + left }
        let filled = Self.place(progress.level.rms, of: width)
        let peak = Self.place(state.held, of: width) - 1
        var cells = (0..<width).map { $0 < filled ? "#" : "-" }
        if peak >= 0 { cells[peak] = "|" }
        return "\(before)[\(cells.joined())]\(after)\(left)"
    }

    /// How many of the cells a level fills.
    private static func place(_ level: Decibels, of width: Int) -> Int {
        guard level.value > -60 else { return 0 }
        // A source may send samples beyond full scale, and beyond all numbers.
        return min(width, Int(min((level.value + 60) / 60, 1) * Double(width)) + 1)
    }

    private func level(_ level: Decibels) -> String {
        level.value.isFinite ? Figures.number(level.value, places: 1) : "-inf"
    }
}
