/// What a finished process tells its caller. The numbers are public and fixed; the sysexits value is used where one fits.
public enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    /// A bug: nothing the user did explains it.
    case unexpected = 1
    /// Some of several items failed; each is listed.
    case partial = 3
    /// The quota of a store or the budget of a network would be exceeded; nothing was sent.
    case noRoom = 4
    case usage = 64
    /// The input cannot be decoded, or holds no audio.
    case badInput = 65
    /// The input is missing or unreadable.
    case missingInput = 66
    /// A service refused for good.
    case refused = 69
    case cannotCreateOutput = 73
    case inputOutput = 74
    /// Kept in the outbox; resuming may succeed.
    case temporary = 75
    case signInNeeded = 77
    case badConfiguration = 78
    case interrupted = 130
}
