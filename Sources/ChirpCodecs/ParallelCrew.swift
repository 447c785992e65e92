internal import ChirpAudio
internal import Glibc

/// The threads of a ``ParallelMP3Encoder``. Stopped and joined at the latest when the owner goes.
struct ParallelCrew: ~Copyable {
    private let monitor: ParallelMonitor<ParallelState>
    private var threads: [pthread_t] = []

    init(jobs: Int, monitor: ParallelMonitor<ParallelState>, rules: ParallelRules) throws(AudioError) {
        self.monitor = monitor
        for _ in 0..<jobs {
            let errand = Unmanaged.passRetained(ParallelErrand(ParallelWorker(monitor: monitor, rules: rules)))
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, runErrand, errand.toOpaque())
            guard code == 0 else {
                errand.release()
                throw .library(name: "pthread", code: Int(code))
            }
            threads.append(thread)
        }
    }

    deinit {
        monitor.access { $0.isCancelled = true }
        for thread in threads { pthread_join(thread, nil) }
    }
}

/// What a thread is to do.
private final class ParallelErrand: Sendable {
    let worker: ParallelWorker

    init(_ worker: ParallelWorker) { self.worker = worker }
}

private func runErrand(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ParallelErrand>.fromOpaque(context).takeRetainedValue().worker.run()
    return nil
}
