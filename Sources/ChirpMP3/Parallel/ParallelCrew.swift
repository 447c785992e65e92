internal import ChirpAudio

/// The threads of a ``ParallelMP3Encoder``. Stopped and joined at the latest when the owner goes.
struct ParallelCrew: ~Copyable {
    private let monitor: ParallelMonitor<ParallelState>
    private let threads: JoinedThreads

    init(jobs: Int, monitor: ParallelMonitor<ParallelState>, rules: ParallelRules) throws(AudioError) {
        self.monitor = monitor
        let worker = ParallelWorker(monitor: monitor, rules: rules)
        do throws(AudioError) {
            threads = try JoinedThreads(jobs) { worker.run() }
        } catch {
            monitor.access { $0.isCancelled = true }
            throw error
        }
    }

    // The threads are joined after that.
    deinit { monitor.access { $0.isCancelled = true } }
}
