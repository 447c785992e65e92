import ChirpCommands
import Synchronization

/// Some lines at the bottom of the terminal that are drawn again in place. Words for the log go above them.
final class Screen: Sendable {
    private let shown = Mutex(0)
    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void = { Terminal.tell($0) }) { self.write = write }

    /// Draws the lines over those that were shown before. Each is cut to the width, so that none wraps.
    func show(_ lines: [String], columns: Int = Terminal.columns) {
        shown.withLock { count in
            var text = Self.top(of: count)
            for line in lines { text += String(line.prefix(max(1, columns - 1))) + "\u{1B}[K\n" }
            // What is left of a taller drawing.
            text += "\u{1B}[J"
            write(text)
            count = lines.count
        }
    }

    /// Writes a line above; the next drawing comes below it.
    func note(_ line: String) {
        shown.withLock { count in
            write(Self.top(of: count) + "\u{1B}[J" + line + "\n")
            count = 0
        }
    }

    /// Takes the lines away.
    func clear() {
        shown.withLock { count in
            write(Self.top(of: count) + "\u{1B}[J")
            count = 0
        }
    }

    /// To the left edge, up by so many lines.
    private static func top(of count: Int) -> String { count > 0 ? "\r\u{1B}[\(count)A" : "\r" }
}
