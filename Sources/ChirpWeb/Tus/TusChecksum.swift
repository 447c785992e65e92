internal import Crypto
internal import FoundationEssentials
internal import Hummingbird

/// What a chunk must hash to (`Upload-Checksum`).
struct TusChecksum {
    private enum Hash {
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
    }

    private var hash: Hash
    private let wanted: [UInt8]

    /// - Throws: 400 for what is no checksum, or one of a kind that is not known here.
    init(_ text: String) throws {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let wanted = Data(base64Encoded: String(parts[1])) else {
            throw Problem(.badRequest, "not-understood", "Upload-Checksum is an algorithm and Base64")
        }
        switch parts[0] {
        case "sha1": hash = .sha1(Insecure.SHA1())
        case "sha256": hash = .sha256(SHA256())
        default:
            throw Problem(
                .badRequest, "checksum-algorithm", "This checksum is not known here",
                detail: "known are \(Tus.checksums)")
        }
        self.wanted = [UInt8](wanted)
    }

    mutating func add(_ piece: ByteBuffer) {
        piece.withUnsafeReadableBytes { bytes in
            switch hash {
            case .sha1(var hash):
                hash.update(bufferPointer: bytes)
                self.hash = .sha1(hash)
            case .sha256(var hash):
                hash.update(bufferPointer: bytes)
                self.hash = .sha256(hash)
            }
        }
    }

    /// Whether all that came is what was meant.
    var isRight: Bool {
        switch hash {
        case .sha1(let hash): Array(hash.finalize()) == wanted
        case .sha256(let hash): Array(hash.finalize()) == wanted
        }
    }
}
