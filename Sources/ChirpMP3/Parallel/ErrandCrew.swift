package import ChirpAudio

/// Threads that run errands beside the one that gives them out, in any order.
///
/// That one helps: when as many errands wait as there are threads, it runs the one that has waited longest. So what waits is
/// bounded, one long errand holds nothing up, and without threads everything happens where it is given out.
package struct ErrandCrew: ~Copyable {
    /// Runs on any thread, and asks now and then whether it is still wanted.
    package typealias Errand = @Sendable (_ isUnwanted: () -> Bool) -> Void

    private struct State {
        var errands: [Errand] = []
        var underWay = 0
        var isOver = false
    }

    private let monitor = ParallelMonitor(State())
    private let count: Int
    private let threads: JoinedThreads

    /// - Parameter threads: beside the caller's; 0 or more.
    package init(threads count: Int) throws(AudioError) {
        let monitor = monitor
        self.count = count
        do throws(AudioError) {
            threads = try JoinedThreads(count) { Self.work(monitor) }
        } catch {
            monitor.access { $0.isOver = true }
            throw error
        }
    }

    // Errands under way see it, and the threads are joined after that.
    deinit { monitor.access { $0.isOver = true } }

    package func run(_ errand: @escaping Errand) {
        let count = count
        let oldest = monitor.access { state in
            state.errands.append(errand)
            return state.errands.count > count ? state.errands.removeFirst() : nil
        }
        oldest? { Task.isCancelled }
    }

    /// Runs what still waits, then waits for what is under way.
    package func finish() {
        while let errand = monitor.access({ $0.errands.isEmpty ? nil : $0.errands.removeFirst() }) {
            errand { Task.isCancelled }
        }
        monitor.wait(isChange: false) { $0.underWay == 0 ? () : nil }
    }

    private static func work(_ monitor: ParallelMonitor<State>) {
        while true {
            let errand = monitor.wait { state -> Errand?? in
                if state.isOver { return .some(nil) }
                guard !state.errands.isEmpty else { return nil }
                state.underWay += 1
                return state.errands.removeFirst()
            }
            guard let errand else { return }
            errand { monitor.access(isChange: false) { $0.isOver } }
            monitor.access { $0.underWay -= 1 }
        }
    }
}
