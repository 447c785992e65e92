internal import Glibc

/// A folder that may be there, to look into.
final class ExistingFolder: Sendable {
    private let descriptor: Int32

    init(_ path: String) { descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Which folder it is; nil when there is none.
    var identity: FileFacts.Identity? {
        var facts = stat()
        return descriptor >= 0 && fstat(descriptor, &facts) == 0 ? FileFacts(facts).identity : nil
    }

    /// What is there under a name; nil for nothing.
    func facts(_ path: BatchPath) -> FileFacts? {
        descriptor >= 0 ? OutputFolder.facts(path, in: descriptor) : nil
    }
}
