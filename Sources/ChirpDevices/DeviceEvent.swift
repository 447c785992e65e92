/// What happens to a device while it is in use. Reported on the thread that reads or writes, never under a lock.
public enum DeviceEvent: Hashable, Sendable {
    /// No microphone was found, so the input is what an output plays.
    case usingMonitor(device: String)
    /// The device or its server went away; trying to get it back.
    case lost(device: String, reason: String)
    /// It is back. What could not be captured meanwhile is missing; nothing that was to be played is.
    case back(device: String, after: Duration)
    /// Put to sleep by somebody; waiting for it.
    case suspended(device: String)
    case resumed(device: String)
    /// The reader was too slow and the buffer overflowed: so many frames are missing.
    case overrun(frames: Int)
    /// The writer was too slow: the listener heard a gap.
    case underRun
}
