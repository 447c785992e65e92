/// Where a finished clip goes.
public enum ClipDestination: Hashable, Sendable {
    /// A file, replaced in one step when the clip is whole and checked; until then nothing is there.
    case file(String)
    /// An open file descriptor such as standard output; it gets the whole clip at the end and is not closed.
    case descriptor(Int32)
}
