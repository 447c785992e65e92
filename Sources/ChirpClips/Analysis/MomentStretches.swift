internal import ChirpAudio
internal import Synchronization

/// What the threads that measure stretches share.
final class MomentStretches: Sendable {
    private struct State {
        /// What was measured and where it begins; few at a time.
        var measured: [(firstMoment: Int, moments: [Moment])] = []
        var spares: [MomentStretch] = []

        mutating func takeStretch(at moment: Int) -> [Moment]? {
            guard let index = measured.firstIndex(where: { $0.firstMoment == moment }) else { return nil }
            return measured.remove(at: index).moments
        }
    }

    private let state = Mutex(State())

    /// Measures a stretch and keeps it for reuse.
    func measure(_ stretch: MomentStretch) {
        let (first, moments) = (stretch.firstMoment, stretch.measure())
        state.withLock { state in
            state.measured.append((first, moments))
            state.spares.append(stretch)
        }
    }

    func takeSpare() -> MomentStretch? { state.withLock { $0.spares.popLast() } }

    /// Appends what comes next and is measured.
    func collect(into moments: inout Moments) {
        while let next = state.withLock({ $0.takeStretch(at: moments.count) }) {
            for moment in next { moments.append(moment) }
        }
    }
}
