internal import CConfine
public import ChirpFiles
internal import Glibc

/// A child process that is given a few descriptors and holds nothing else: no environment, no other descriptors, and limits
/// that the kernel keeps (`CConfine.h`). It is killed when the value goes.
public struct ConfinedProcess: ~Copyable, Sendable {
    /// What it may use; more is refused to it or ends it.
    public struct Limits: Hashable, Sendable {
        /// Processor time over its whole life; nil for none.
        public var processorTime: Duration?
        /// Address space.
        public var memory: ByteCount
        /// The largest file it may write; pipes do not count.
        public var file: ByteCount
        /// Descriptors at once, those it is given included.
        public var descriptors: Int
        /// Bound before it begins, to reading programs, libraries and the files it is given, to writing those that are given for
        /// writing, and without a network; for programs that cannot do that themselves.
        public var isForeign: Bool
        /// A foreign program that ends with the thread that has started it, however that ends.
        public var isAlone: Bool
        /// A foreign program that is this program, which may read itself, and start others.
        public var isSelf: Bool
        /// A foreign program that may start others, and make code: one that the owner has chosen. Others stay one process.
        public var startsPrograms: Bool

        public init(
            processorTime: Duration?, memory: ByteCount = ByteCount(1 << 30), file: ByteCount = ByteCount(0),
            descriptors: Int = 64, isForeign: Bool = false, isSelf: Bool = false, isAlone: Bool = false,
            startsPrograms: Bool = false
        ) {
            self.processorTime = processorTime
            self.memory = memory
            self.file = file
            self.descriptors = descriptors
            self.isForeign = isForeign
            self.isSelf = isSelf
            self.isAlone = isAlone
            self.startsPrograms = startsPrograms
        }
    }

    /// How it ended.
    public enum Ending: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)

        /// For a sentence such as "the process ...".
        public var description: String {
            switch self {
            case .exited(let code): "ended with code \(code)"
            case .killed(SIGXCPU): "took more processor time than it may"
            case .killed(SIGXFSZ): "wrote more than it may"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

    private let process: pid_t
    /// Stands for the process (pidfd_open(2)); negative before Linux 5.2.
    private let handle: Int32

    /// The newest version of Landlock that processes are bound by, where the kernel has newer ones; nil for what it has. A test takes the
    /// place of older kernels by it.
    @TaskLocal package static var newestLandlock: Int?

    private static var landlockBefore: Int32 { newestLandlock.map { Int32(clamping: $0 + 1) } ?? 0 }

    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: without its name. Others can read them: nothing secret.
    ///   - descriptors: what its descriptors 0, 1, ... are, 16 at most; nil is nothing to read and nowhere to write. They stay
    ///     open here. A foreign program may read what lies below a folder among them, and start programs from there.
    /// - Throws: what the system says.
    public init(
        _ program: String, arguments: [String], descriptors: [Int32?], limits: Limits
    ) throws(SystemError) {
        var bounds = chirp_confinement()
        bounds.processor_seconds = limits.processorTime.map { UInt64(max(1, $0.components.seconds)) } ?? .max
        bounds.memory_bytes = UInt64(max(0, limits.memory.bytes))
        bounds.file_bytes = UInt64(max(0, limits.file.bytes))
        bounds.descriptors = UInt64(max(0, limits.descriptors))
        bounds.is_foreign = limits.isForeign ? 1 : 0
        bounds.is_self = limits.isSelf ? 1 : 0
        bounds.is_alone = limits.isAlone ? 1 : 0
        bounds.starts_programs = limits.startsPrograms ? 1 : 0
        bounds.landlock_before = Self.landlockBefore
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var process: pid_t = 0
        var handle: Int32 = -1
        let code = chirp_spawn_confined(
            program, words, descriptors.map { $0 ?? -1 }, Int32(descriptors.count), &bounds, &process, &handle)
        guard code == 0 else { throw SystemError(code: code) }
        self.process = process
        self.handle = handle
    }

    deinit {
        kill()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if handle >= 0 { close(handle) }
    }

    /// Processor time used so far; nil when the system does not tell.
    public var processorTime: Duration? {
        let nanoseconds = chirp_process_time(process)
        return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    /// With what it has started: it is the first of a session of its own.
    public func kill() { chirp_kill(process, handle) }

    /// Waits for its end, but not for ever; nil: it goes on.
    public func ending(within patience: Duration) -> Ending? {
        let (seconds, attoseconds) = patience.components
        let milliseconds = max(0, min(seconds, 1 << 40)) * 1000 + attoseconds / 1_000_000_000_000_000
        return chirp_await_end(handle, milliseconds) == 0 ? nil : ending()
    }

    /// Waits for its end.
    public func ending() -> Ending {
        var facts = siginfo_t()
        // It stays a zombie until this value goes, so that nobody else gets its number meanwhile.
        while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) != 0 {
            guard errno == EINTR else { return .exited(127) }
        }
        let status = facts._sifields._sigchld.si_status
        return facts.si_code == CLD_EXITED ? .exited(status) : .killed(signal: status)
    }

    /// Binds this process for good, before it reads anything from a stranger: it can name no file, start nothing, reach no network
    /// and touch no other process. Only what it has open or is sent stays usable.
    ///
    /// - Parameter mayStartPrograms: it was started as ``Limits/isForeign`` and is to stay bound as it is.
    /// - Throws: when the kernel refuses, or when there is a second thread already.
    public static func confineSelf(mayStartPrograms: Bool = false) throws(SystemError) {
        let confined = chirp_confine_self(mayStartPrograms ? 1 : 0, landlockBefore)
        guard confined >= 0 else { throw SystemError(code: -confined) }
    }
}
