internal import Glibc

/// Waiting of a blocking job that can be interrupted.
enum Wait {
    /// - Throws: `cancelled`, within a tenth of a second.
    static func nap(_ time: Duration) throws(FleetError) {
        let end = ContinuousClock.now + time
        while true {
            if Task.isCancelled { throw .cancelled }
            let rest = end - ContinuousClock.now
            guard rest > .zero else { return }
            usleep(UInt32(min(rest, .milliseconds(100)) / .microseconds(1)) + 1)
        }
    }
}
