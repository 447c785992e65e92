internal import Crypto
internal import Glibc

/// What a file holds, in short: its size and its SHA-256.
package struct FileDigest: Hashable, Sendable {
    package let bytes: Int64
    /// Lower-case hexadecimal.
    package let sha256: String

    package init(bytes: Int64, sha256: String) {
        self.bytes = bytes
        self.sha256 = sha256
    }

    /// Reads a file once from its start to its end, in pieces of 256 kB, and hands each piece on.
    ///
    /// - Parameters:
    ///   - path: a regular file; anything else is `EINVAL`, since a pipe would not end the same way twice.
    ///   - limit: the most bytes; a longer file is `EFBIG`.
    ///   - each: gets every piece in order; what it throws ends the reading.
    package static func reading(
        _ path: String, limit: Int64 = .max,
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void = {
            (_: UnsafeRawBufferPointer) throws(FileError) in
        }
    ) throws(FileError) -> FileDigest {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw FileError(path: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw FileError(path: path, number: EINVAL) }
        return try reading(descriptor: descriptor, name: path, limit: limit, each: each)
    }

    /// The same for an open descriptor, which may be a pipe; it stays open.
    package static func reading(
        descriptor: Int32, name: String, limit: Int64 = .max,
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> FileDigest {
        var hasher = SHA256()
        var total: Int64 = 0
        var piece = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            if Task.isCancelled { throw FileError(path: name, number: ECANCELED) }
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: name)
            }
            if count == 0 { break }
            total += Int64(count)
            guard total <= limit else { throw FileError(path: name, number: EFBIG) }
            try piece.withUnsafeBufferPointer { (bytes) throws(FileError) in
                let read = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count]))
                hasher.update(bufferPointer: read)
                try each(read)
            }
        }
        return FileDigest(bytes: total, sha256: hexadecimal(hasher.finalize()))
    }

    /// The SHA-256 of a short text in UTF-8, lower-case hexadecimal.
    package static func sha256(of text: String) -> String { sha256(of: Array(text.utf8)) }

    /// The SHA-256 of some bytes, lower-case hexadecimal.
    package static func sha256(of bytes: [UInt8]) -> String {
        var hasher = SHA256()
        bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        return hexadecimal(hasher.finalize())
    }

    /// Lower-case hexadecimal of some bytes.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
