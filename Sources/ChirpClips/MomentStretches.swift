internal import ChirpAudio
internal import Synchronization

/// What the threads that measure stretches share.
final class MomentStretches: Sendable {
    private struct State {
        /// What was measured, by the first moment.
        var measured: [Int: [Moments]] = [:]
        var spares: [MomentStretch] = []
    }

    private let state = Mutex(State())

    /// Measures a stretch and keeps it for reuse.
    func measure(_ stretch: MomentStretch) {
        let (first, moments) = (stretch.firstMoment, stretch.measure())
        state.withLock { state in
            state.measured[first] = moments
            state.spares.append(stretch)
        }
    }

    func takeSpare() -> MomentStretch? { state.withLock { $0.spares.popLast() } }

    /// Appends what comes next and is measured.
    func collect(into moments: inout Moments) {
        while let more = state.withLock({ $0.measured.removeValue(forKey: moments.count) }) {
            for part in more { for index in 0..<part.count { moments.append(part[index]) } }
        }
    }
}
