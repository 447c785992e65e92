internal import ChirpFiles
internal import Crypto

/// A part of a file on its way, with the checksums that it is sent with.
struct S3Part: Hashable, Sendable {
    /// From 1.
    let number: Int
    let offset: Int64
    let count: Int64
    /// Lower-case hexadecimal.
    let sha256: String
    let md5: [UInt8]
}

/// The parts of a file. Reading them once checks the whole file before a byte of it leaves, and since every part is sent with its
/// checksum, a file that is changed meanwhile is refused by the service.
struct S3Parts: Sendable {
    /// One or more; only one of a small file.
    let parts: [S3Part]
    /// Of every part but the last.
    let partBytes: Int64

    /// What an upload has at most (Amazon S3 User Guide, "Multipart upload limits").
    private static let most: Int64 = 10_000

    /// Reads the file; throws when it is not what was promised.
    init(of payload: Payload, partBytes: Int64) throws(StoreError) {
        let size = max(partBytes, payload.bytes / Self.most + 1)
        var (parts, sha256, md5, count): ([S3Part], SHA256, Insecure.MD5, Int64) = ([], SHA256(), Insecure.MD5(), 0)
        func close() {
            parts.append(
                S3Part(
                    number: parts.count + 1, offset: Int64(parts.count) * size, count: count,
                    sha256: sha256.finalize().hexadecimal, md5: Array(md5.finalize())))
            (sha256, md5, count) = (SHA256(), Insecure.MD5(), 0)
        }
        let found = try payload.digest { (piece) throws(FileError) in
            var rest = piece
            while !rest.isEmpty {
                if count == size { close() }
                let taken = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(min(size - count, Int64(rest.count)))))
                sha256.update(bufferPointer: taken)
                md5.update(bufferPointer: taken)
                count += Int64(taken.count)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken.count))
            }
        }
        try payload.check(found)
        close()
        self.parts = parts
        self.partBytes = size
    }
}
