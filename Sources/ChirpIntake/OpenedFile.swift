internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// A regular file, opened to be handed to a child.
struct OpenedFile: ~Copyable {
    let descriptor: Int32

    /// - Throws: `missing`.
    init(_ path: String, name: String) throws(AudioError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw .missing(path: name, reason: .system(.current)) }
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw .missing(path: name, reason: "it is not a regular file")
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
