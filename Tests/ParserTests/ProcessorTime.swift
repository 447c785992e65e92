import Glibc

/// How much of a processor something takes.
enum ProcessorTime {
    /// The oracle: a parser may take so many seconds for ``share`` bytes, and as much for less. Modules without optimisation, as a debug build has
    /// them, are slower by a factor that differs from loop to loop.
    static var most: Double {
        #if DEBUG
            0.02 * 40
        #else
            0.02
        #endif
    }

    /// In bytes.
    static let share = 64 << 10

    /// Of this thread, in seconds: other programs and tests make it no longer.
    static func of(_ body: () -> Void) -> Double {
        let begin = now()
        body()
        return now() - begin
    }

    /// How many times slower than usual this processor is at the moment, from 1 to 8: what other machines on the same hardware do to its caches
    /// and clock counts as time of this thread. By the same work each time, which takes texts apart as parsers do.
    static func slowness() -> Double {
        let least = (0..<3).map { _ in of { _ = words.split(separator: " ").count } }.min() ?? usual
        return min(max(least / usual, 1), 8)
    }

    private static let words = String(repeating: "text of some words ", count: 1000)

    /// Seconds. A machine on which they were four times as many had parsers cost half more than ``most``.
    private static let usual = 0.000_5

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
