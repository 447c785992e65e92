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

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
