internal import Glibc

/// A file that stays readable while it is sent, also when it is removed meanwhile. Closed with the last reference.
package final class OpenFile: Sendable {
    /// Bytes.
    package let size: Int64
    private let descriptor: Int32

    private init(descriptor: Int32, size: Int64) {
        self.descriptor = descriptor
        self.size = size
    }

    /// Nil when there is no regular file that can be opened. Blocks, though not for a pipe that somebody has put there.
    package static func open(_ path: String) -> OpenFile? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size >= 0 else {
            close(descriptor)
            return nil
        }
        return OpenFile(descriptor: descriptor, size: Int64(facts.st_size))
    }

    deinit { close(descriptor) }

    /// Bytes from an offset on, at most `count`; nil at the end or on failure. Blocks.
    package func read(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = pread(descriptor, &bytes, count, off_t(offset))
        while got < 0 && errno == EINTR { got = pread(descriptor, &bytes, count, off_t(offset)) }
        guard got > 0 else { return nil }
        return bytes.prefix(got)
    }
}
