internal import CConfine
internal import Glibc

/// Owner of one open file, pipe or folder: its descriptor is closed once.
package struct OpenFile: ~Copyable, Sendable {
    package let raw: Int32

    /// - Parameter flags: as for open(2); `O_CLOEXEC` is added.
    package init(_ path: String, flags: Int32, mode: UInt32 = 0o600) throws(FileError) {
        let raw = open(path, flags | O_CLOEXEC, mode)
        guard raw >= 0 else { throw FileError(path: path) }
        self.raw = raw
    }

    /// Takes over a descriptor, which nobody else closes.
    package init(adopting raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Writes all bytes where the file's position is.
    ///
    /// - Parameter name: for the error.
    package func write(_ bytes: UnsafeRawBufferPointer, name: String) throws(FileError) {
        try Self.write(bytes, to: raw, name: name)
    }

    /// The same for a descriptor that somebody else owns.
    package static func write(_ bytes: UnsafeRawBufferPointer, to raw: Int32, name: String) throws(FileError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(raw, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: name)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}

/// The number in `/proc/self/fd/7`: a file that is open here already. A process that may open nothing any more reads and writes
/// what it was given under this name; nil for other paths.
package func openDescriptor(namedBy path: String) -> Int32? {
    let prefix = "/proc/self/fd/"
    guard path.hasPrefix(prefix), let number = Int32(path.dropFirst(prefix.count)), number >= 0 else { return nil }
    return number
}

/// Ends this process as soon as the other end of a pipe or socket is closed: it does not outlive the one it works for.
public func endProcess(with descriptor: Int32) throws(SystemError) {
    let code = chirp_end_with(descriptor)
    guard code == 0 else { throw SystemError(code: code) }
}

/// Both ends of a pipe to a child, closed on exec from the beginning. Whoever asks for them closes them.
public struct PipeEnds: Sendable {
    public let reading: Int32
    public let writing: Int32

    /// - Throws: when there are too many descriptors.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let code = chirp_pipe(&ends)
        guard code == 0 else { throw SystemError(code: code) }
        (reading, writing) = (ends[0], ends[1])
    }
}
