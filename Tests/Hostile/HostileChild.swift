import Glibc
import HostileFiles

/// The process that reads: limited, and telling after each case what came of it.
enum HostileChild {
    /// Of address space, in bytes: a bomb is a refusal or a death here, and no harm to the machine.
    private static let memory = 2 << 30

    static func run(_ generator: HostileGenerator, seed: UInt64, cases: Range<Int>) throws {
        for (resource, limit) in [
            (__rlimit_resource_t(RLIMIT_AS.rawValue), memory), (__rlimit_resource_t(RLIMIT_CORE.rawValue), 0),
            (__rlimit_resource_t(RLIMIT_FSIZE.rawValue), 64 << 20),
        ] {
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            _ = setrlimit(resource, &limits)
        }
        // Libraries that print do it elsewhere: the answers have the original output to themselves.
        let answers = dup(1)
        dup2(2, 1)
        // A death leaves nothing: the case can be made again from its number.
        let reading = try HostileReading(path: "/dev/shm/chirp-hostile-\(getpid())", stays: false)
        for index in cases {
            let line = "\(index) \(memoryPeak()) \(word(reading, generator.makeCase(seed: seed, index: index)))\n"
            _ = line.withCString { write(answers, $0, strlen($0)) }
        }
    }

    private static func word(_ reading: HostileReading, _ hostile: HostileCase) -> String {
        switch reading.outcome(of: hostile.bytes) {
        case .read: "read"
        case .refused(let kind): kind
        case .fault(let words): "fault: \(words)"
        }
    }

    /// Of this process so far, in kilobytes.
    private static func memoryPeak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
