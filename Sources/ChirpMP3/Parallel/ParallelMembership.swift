/// The part that a ``ParallelMP3Encoder`` has in a pool: its segments are work for idle threads, until the owner goes.
///
/// Segments that are under way then come to their end soon, and the encoder does not wait for that.
struct ParallelMembership: ~Copyable {
    private let pool: WorkerPool
    private let monitor: Monitor<ParallelState>

    init(pool: WorkerPool, monitor: Monitor<ParallelState>, rules: ParallelRules) {
        self.pool = pool
        self.monitor = monitor
        let worker = ParallelWorker(monitor: monitor, rules: rules)
        pool.provide { worker.nextWork() }
    }

    // The pool is given back after that: when this was its last owner, it joins threads that know of the end.
    deinit {
        monitor.access { $0.isCancelled = true }
        pool.provide(nil)
    }

    /// Tells idle threads that there may be a segment to start; never with the monitor's lock held.
    func wake() { pool.wake() }
}
