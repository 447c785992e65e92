internal import Glibc

/// The bytes of a file.
public func readAll(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Missing(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}

/// A file of the benchmark's own is not there.
struct Missing: Error {
    var path: String
}
