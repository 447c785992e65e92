import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// A FLAC that jumps elsewhere than it reads: made with silence in front, so that the clip's beginning is jumped to.
@Suite struct LyingPositionTests {
    /// 100 frames of 4096 samples at 48 kHz, the first 40 silent (RFC 9639, section 9); each says that it is some frames earlier than it is.
    private static func flac(tooEarlyBy lie: Int) -> Data {
        let total = UInt64(48_000) << 44 | 15 << 36 | 4096 * 100
        var bytes = Data("fLaC".utf8) + [0x80, 0, 0, 34, 0x10, 0, 0x10, 0] + [UInt8](repeating: 0, count: 6)
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: total >> ($0 * 8)) }
        bytes += [UInt8](repeating: 0, count: 16)
        for index in 0..<100 {
            var frame: [UInt8] = [0xFF, 0xF8, 0xCA, 0x08, UInt8(max(0, index - lie))]
            frame.append(UInt8(checksum(frame, width: 8, polynomial: 0x07)))
            frame.append(2)
            for place in 0..<4096 {
                let sample = index < 40 ? 0 : (place * place * (index + 7) * 31 + place * 977) % 6000 - 3000
                frame += [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
            }
            let sum = checksum(frame, width: 16, polynomial: 0x8005)
            bytes += frame + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
        }
        return bytes
    }

    private static func checksum(_ bytes: [UInt8], width: Int, polynomial: Int) -> Int {
        let (top, mask) = (1 << (width - 1), (1 << width) - 1)
        return bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { sum, _ in
                (sum & top == 0 ? sum << 1 : sum << 1 ^ polynomial) & mask
            }
        }
    }

    private func make(tooEarlyBy lie: Int) throws -> Receipt {
        let workplace = try Workplace()
        let path = "\(workplace.path)/take.flac"
        try Self.flac(tooEarlyBy: lie).write(to: URL(filePath: path))
        let source = ClipSource(path: path, name: "take.flac", sha256: "00")
        let clip = try prepare(ClipRequest(source: source, preset: .voice)) { _ in }
        return try ChirpClips.make(clip, to: .file("\(workplace.path)/clip.mp3")) { _ in }
    }

    @Test func `positions that lie are the file's fault, and a file that tells the truth is made`() throws {
        let reason = "its positions do not agree with its sound"
        #expect(throws: AudioError.undecodable(name: "take.flac", reason: reason)) { try make(tooEarlyBy: 3) }
        #expect(try make(tooEarlyBy: 0).clip?.seconds ?? 0 > 4)
    }
}
