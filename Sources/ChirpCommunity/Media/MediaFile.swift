internal import ChirpFiles
internal import Glibc

/// The file of a clip, which stays readable while it is sent, also when it is removed meanwhile. Closed with the last reference.
package final class MediaFile: Sendable {
    /// Bytes.
    package let size: Int64
    private let file: OpenFile

    /// Nil when there is no regular file that can be opened. Blocks, though not for a pipe that somebody has put there.
    package init?(_ path: String) {
        guard let file = try? OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        var facts = stat()
        guard fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size >= 0 else { return nil }
        self.file = file
        size = Int64(facts.st_size)
    }

    /// Bytes from an offset on, at most `count`; nil at the end or on failure. Blocks.
    package func read(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = pread(file.raw, &bytes, count, off_t(offset))
        while got < 0 && errno == EINTR { got = pread(file.raw, &bytes, count, off_t(offset)) }
        guard got > 0 else { return nil }
        return bytes.prefix(got)
    }
}
