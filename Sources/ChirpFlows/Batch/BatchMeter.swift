internal import ChirpClips
internal import Synchronization

/// Counts how far the jobs have come. Called from any thread.
package final class BatchMeter: Sendable {
    private struct State {
        var pace: BatchProgress
        /// Seconds of finished files, and of the running ones their lengths and the done part.
        var finished = 0.0
        var running: [Int: (seconds: Double, fraction: Double)] = [:]
    }

    private let state: Mutex<State>
    private let begin: Duration
    private let uptime: @Sendable () -> Duration

    package init(_ pace: BatchProgress, uptime: @escaping @Sendable () -> Duration) {
        state = Mutex(State(pace: pace))
        begin = uptime()
        self.uptime = uptime
    }

    package var pace: BatchProgress { state.withLock { current(&$0) } }

    package func begin(_ index: Int, seconds: Double) {
        state.withLock { $0.running[index] = (seconds, 0) }
    }

    /// - Returns: how far all have come.
    func advance(_ index: Int, _ progress: ClipProgress) -> BatchProgress {
        // The parts of the time that one clip takes, from profiles of speech; encoding is nearly all.
        let fraction =
            switch progress.step {
            case .analyse: 0.1 * progress.fraction
            case .render: 0.1 + 0.88 * progress.fraction
            case .verify: 0.98 + 0.02 * progress.fraction
            }
        return state.withLock { state in
            if let job = state.running[index] {
                state.running[index] = (job.seconds, max(job.fraction, min(1, fraction)))
            }
            return current(&state)
        }
    }

    /// - Parameter seconds: its length, now that it is known; nil when it has failed.
    package func finish(_ index: Int, seconds: Double?) {
        state.withLock { state in
            guard let job = state.running.removeValue(forKey: index) else { return }
            state.pace.seconds += (seconds ?? job.seconds) - job.seconds
            state.finished += seconds ?? job.seconds
            state.pace.filesDone += 1
        }
    }

    private func current(_ state: inout State) -> BatchProgress {
        var pace = state.pace
        pace.secondsDone = state.running.values.reduce(state.finished) { $0 + $1.seconds * $1.fraction }
        pace.elapsed = uptime() - begin
        return pace
    }
}
