/// Where a finished clip goes.
public enum ClipDestination: Hashable, Sendable {
    /// A file, replaced in one step when the clip is whole and checked; until then nothing is there.
    case file(String)
    /// The same, but what it holds may not be on the disk yet: whoever moves it on flushes it.
    case draft(String)
    /// An open regular file, written in place; whoever opened it gives it its name and flushes it.
    case open(Int32)
    /// An open file descriptor such as standard output; it gets the whole clip at the end and is not closed.
    case descriptor(Int32)

    /// Nil for descriptors.
    var path: String? {
        switch self {
        case .file(let path), .draft(let path): path
        case .descriptor, .open: nil
        }
    }

    /// Whether what the clip holds has to be on the disk when it appears.
    var isLasting: Bool {
        if case .file = self { true } else { false }
    }
}
