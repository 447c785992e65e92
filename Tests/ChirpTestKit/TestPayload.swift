public import ChirpStores
internal import Crypto
internal import Foundation

/// Files with content that follows from a seed, and honest payloads for them.
public enum TestPayload {
    public static func make(_ path: String, bytes: Int, seed: UInt8 = 1) throws -> Payload {
        var state = UInt32(seed) &* 2_654_435_761 | 1
        let data = Data(
            (0..<bytes).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            })
        try data.write(to: URL(filePath: path))
        let digest = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
        return Payload(path: path, bytes: Int64(bytes), sha256: digest, name: "take.mp3", title: "A take")
    }
}
