internal import ChirpAudio
internal import Glibc

extension Signal {
    /// Writes it as a WAV file.
    ///
    /// - Parameter bits: 16 for integers, rounded and cut off at full scale; 32 for floats as they are.
    public func writeWav(to path: String, bits: Int = 16) throws {
        let bytesPerFrame = format.channels * bits / 8
        let size = frames * bytesPerFrame
        var bytes = Array("RIFF".utf8) + Self.little(UInt32(36 + size), 4) + Array("WAVEfmt ".utf8)
        bytes += Self.little(16, 4) + Self.little(bits == 32 ? 3 : 1, 2) + Self.little(UInt32(format.channels), 2)
        bytes += Self.little(UInt32(format.sampleRate), 4)
        bytes += Self.little(UInt32(format.sampleRate * bytesPerFrame), 4)
        bytes += Self.little(UInt32(bytesPerFrame), 2) + Self.little(UInt32(bits), 2)
        bytes += Array("data".utf8) + Self.little(UInt32(size), 4)
        bytes.reserveCapacity(44 + size)
        for frame in 0..<frames {
            for plane in planes {
                let sample = plane[frame]
                if bits == 32 {
                    bytes += Self.little(sample.bitPattern, 4)
                } else {
                    let value = Int16(max(-32768, min(32767, (sample * 32768).rounded())))
                    bytes += Self.little(UInt32(UInt16(bitPattern: value)), 2)
                }
            }
        }
        guard let file = fopen(path, "wb") else { throw WavFileError(path: path) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw WavFileError(path: path) }
    }

    private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}

/// A test's WAV file could not be written.
public struct WavFileError: Error {
    public var path: String
}
