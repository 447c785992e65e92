internal import Crypto

/// What a file holds, in short: its size and its SHA-256.
package struct FileDigest: Hashable, Sendable {
    package let bytes: Int64
    /// Lower-case hexadecimal.
    package let sha256: String

    package init(bytes: Int64, sha256: String) {
        self.bytes = bytes
        self.sha256 = sha256
    }

    /// Of bytes that come piece by piece.
    package struct Running: Sendable {
        private var hash = SHA256()
        package private(set) var bytes: Int64 = 0

        package init() {}

        package mutating func add(_ piece: UnsafeRawBufferPointer) {
            hash.update(bufferPointer: piece)
            bytes += Int64(piece.count)
        }

        /// Of all that came until now.
        package var digest: FileDigest {
            FileDigest(bytes: bytes, sha256: hash.finalize().hexadecimal)
        }
    }

    /// Reads a file once and hands each piece on; see ``FileContent/read(_:limit:isUnwanted:each:)``.
    package static func reading(
        _ path: String, limit: Int64 = .max, isUnwanted: () -> Bool = { Task.isCancelled },
        each: (UnsafeRawBufferPointer) throws(FileError) -> Void = {
            (_: UnsafeRawBufferPointer) throws(FileError) in
        }
    ) throws(FileError) -> FileDigest {
        var running = Running()
        try FileContent.read(path, limit: limit, isUnwanted: isUnwanted) { (piece) throws(FileError) in
            running.add(piece)
            try each(piece)
        }
        return running.digest
    }

    /// The same of a regular file that is open for reading; its position stays.
    package static func reading(
        open descriptor: Int32, name: String, isUnwanted: () -> Bool = { Task.isCancelled }
    ) throws(FileError) -> FileDigest {
        var running = Running()
        try FileContent.read(open: descriptor, name: name, isUnwanted: isUnwanted) {
            (piece) throws(FileError) in
            running.add(piece)
        }
        return running.digest
    }

    /// The SHA-256 of a short text in UTF-8, lower-case hexadecimal.
    package static func sha256(of text: String) -> String { sha256(of: Array(text.utf8)) }

    /// The SHA-256 of some bytes, lower-case hexadecimal.
    package static func sha256(of bytes: [UInt8]) -> String {
        var running = Running()
        bytes.withUnsafeBytes { running.add($0) }
        return running.digest.sha256
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
