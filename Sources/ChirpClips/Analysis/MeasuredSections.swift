internal import ChirpAudio
internal import Synchronization

/// What the threads that measure stretches share.
final class MeasuredSections: Sendable {
    private struct State {
        /// What was measured and where it begins; few at a time.
        var measured: [(firstWindow: Int, windows: [LevelWindow])] = []
        var spares: [MeasuredSection] = []

        mutating func takeStretch(at window: Int) -> [LevelWindow]? {
            guard let index = measured.firstIndex(where: { $0.firstWindow == window }) else { return nil }
            return measured.remove(at: index).windows
        }
    }

    private let state = Mutex(State())

    /// Measures a stretch and keeps it for reuse.
    func measure(_ stretch: MeasuredSection) {
        let (first, windows) = (stretch.firstWindow, stretch.measure())
        state.withLock { state in
            state.measured.append((first, windows))
            state.spares.append(stretch)
        }
    }

    func takeSpare() -> MeasuredSection? { state.withLock { $0.spares.popLast() } }

    /// Appends what comes next and is measured.
    func collect(into windows: inout LevelWindows) {
        while let next = state.withLock({ $0.takeStretch(at: windows.count) }) {
            for window in next { windows.append(window) }
        }
    }
}
