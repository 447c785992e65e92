internal import Glibc

/// Reading a file from its start to its end, in pieces.
package enum FileContent {
    /// Fits into the nearest caches.
    private static let pieceBytes = 1 << 16

    /// Reads a regular file.
    ///
    /// - Parameters:
    ///   - path: of anything else it is `EINVAL`, since a pipe would not end the same way twice.
    ///   - limit: the most bytes; a longer file is `EFBIG`.
    ///   - isUnwanted: asked before every piece; true is `ECANCELED`.
    ///   - each: gets every piece in order; what it throws ends the reading.
    /// - Returns: the bytes read.
    @discardableResult
    package static func read(
        _ path: String, limit: Int64 = .max, isUnwanted: () -> Bool = { Task.isCancelled },
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Int64 {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let file = try OpenFile(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        var facts = stat()
        guard fstat(file.raw, &facts) == 0 else { throw FileError(path: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw FileError(path: path, number: EINVAL) }
        return try read(open: file.raw, name: path, limit: limit, isUnwanted: isUnwanted, each: each)
    }

    /// The same of a regular file that is open for reading; its position stays, which others may share.
    ///
    /// - Parameter name: for errors.
    @discardableResult
    package static func read(
        open descriptor: Int32, name: String, limit: Int64 = .max,
        isUnwanted: () -> Bool = { Task.isCancelled },
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) -> Int64 {
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        var offset: Int64 = 0
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            guard !isUnwanted() else { throw FileError(path: name, number: ECANCELED) }
            let count = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: name)
            }
            guard count > 0 else { return offset }
            offset += Int64(count)
            guard offset <= limit else { throw FileError(path: name, number: EFBIG) }
            try piece.withUnsafeBufferPointer { (bytes) throws(FileError) in
                try each(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
            }
        }
    }
}
