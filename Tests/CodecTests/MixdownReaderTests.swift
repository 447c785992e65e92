import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Surround to stereo, sample rates, bit depths.
struct MixdownReaderTests {
    /// Weights after ITU-R BS.775-3, annex 4: every channel alone must come out with them.
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String
        /// Nil for plain WAV without names.
        let mask: UInt32?
        let weights: [(left: Float, right: Float)]
        var testDescription: String { "\(name), mask \(mask.map { String($0, radix: 16) } ?? "none")" }
    }

    private static let half = Float(0.5).squareRoot()
    private static let (l, r): ((left: Float, right: Float), (left: Float, right: Float)) = ((1, 0), (0, 1))
    private static let (ls, rs): ((left: Float, right: Float), (left: Float, right: Float)) = ((half, 0), (0, half))
    private static let c: (left: Float, right: Float) = (half, half)
    private static let none: (left: Float, right: Float) = (0, 0)

    static let layouts: [Layout] = [
        Layout(name: "3.0", mask: 0x7, weights: [l, r, c]),
        Layout(name: "2.1", mask: 0xB, weights: [l, r, none]),
        Layout(name: "quadraphonic", mask: 0x33, weights: [l, r, ls, rs]),
        Layout(name: "4.0", mask: 0x107, weights: [l, r, c, (0.5, 0.5)]),
        Layout(name: "5.0", mask: 0x37, weights: [l, r, c, ls, rs]),
        Layout(name: "5.1", mask: 0x3F, weights: [l, r, c, none, ls, rs]),
        Layout(name: "5.1", mask: 0x60F, weights: [l, r, c, none, ls, rs]),
        Layout(name: "6.1", mask: 0x70F, weights: [l, r, c, none, (0.5, 0.5), ls, rs]),
        Layout(name: "7.1", mask: 0x63F, weights: [l, r, c, none, ls, rs, ls, rs]),
        Layout(name: "5.1", mask: nil, weights: [l, r, c, none, ls, rs]),
        Layout(name: "quadraphonic", mask: nil, weights: [l, r, ls, rs]),
    ]

    @Test(arguments: layouts)
    func `every known layout is mixed down with the weights of BS 775`(_ layout: Layout) throws {
        let folder = try TemporaryFolder()
        let count = layout.weights.count
        // One frame per channel, in which only that channel sounds.
        let samples = (0..<count * count).map { $0 / count == $0 % count ? Float(0.5) : 0 }
        let wav = ReaderTestWav(
            channels: UInt16(count), mask: layout.mask, data: ReaderTestWav.samples16(samples))
        let result = try ReaderTestResult(wav.bytes, in: folder.url)
        #expect(result.format.channels == 2)
        #expect(result.sourceChannels == count)
        #expect(result.notes == [.mixedDown(layout: layout.name, assumed: layout.mask == nil)])
        for (channel, weight) in layout.weights.enumerated() {
            #expect(abs(result.planes[0][channel] - 0.5 * weight.left) < 1e-6)
            #expect(abs(result.planes[1][channel] - 0.5 * weight.right) < 1e-6)
        }
    }

    @Test(arguments: ["a.flac", "a.ogg", "a.opus", "a.caf", "a.aiff"])
    func `5 point 1 keeps its channels apart in other containers`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("source.wav"), folder.path(name))
        // Only the right surround sounds.
        let tone = ReaderTestWav.signal(frames: 24_000)
        let samples = tone.flatMap { [0, 0, 0, 0, 0, $0] as [Float] }
        let wav = ReaderTestWav(channels: 6, mask: 0x3F, data: ReaderTestWav.samples16(samples))
        try Data(wav.bytes).write(to: URL(filePath: source))
        let coder = name.hasSuffix("opus") ? ["-c:a", "libopus", "-b:a", "256k"] : []
        let made = try ExternalProgram("ffmpeg").run(["-v", "error", "-nostdin", "-i", source] + coder + [path])
        try #require(made.status == 0, "\(made.errors)")
        let result = try ReaderTestResult(path)
        #expect(result.sourceChannels == 6)
        func energy(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
        #expect(energy(result.planes[0]) < 0.001 * energy(result.planes[1]))
        #expect(abs(energy(result.planes[1]) / energy(tone) - 0.5) < 0.02)
    }

    @Test(
        arguments: [4000, 5512, 7350, 8000, 11_025, 12_345, 44_056, 88_200, 176_400, 192_000, 352_800, 384_000]
            as [UInt32])
    func `sample rates from 4 to 384 kHz are read`(_ rate: UInt32) throws {
        let folder = try TemporaryFolder()
        let signal = ReaderTestWav.signal(frames: 3000)
        let wav = ReaderTestWav(sampleRate: rate, data: ReaderTestWav.samples16(signal))
        let result = try ReaderTestResult(wav.bytes, in: folder.url)
        #expect(result.format.sampleRate == Int(rate))
        #expect(result.frames == 3000)
        let path = folder.path("a.flac")
        try Data(wav.bytes).write(to: URL(filePath: folder.path("a.wav")))
        let made = try ExternalProgram("ffmpeg").run(["-v", "error", "-i", folder.path("a.wav"), path])
        try #require(made.status == 0, "\(made.errors)")
        #expect(try ReaderTestResult(path).format.sampleRate == Int(rate))
    }

    @Test(arguments: [12, 20])
    func `FLAC of odd bit depths is read`(_ bits: Int) throws {
        let folder = try TemporaryFolder()
        // Left-justified in whole bytes, as the reference encoder wants them.
        let signal = ReaderTestWav.signal(frames: 5000)
        let scale = Float(1 << (bits - 1))
        let bytes = (bits + 7) / 8
        let data = signal.flatMap { value in
            ReaderTestWav.little(Int32((value * scale).rounded()) << Int32(8 * bytes - bits)).prefix(bytes)
        }
        let wav = ReaderTestWav(bits: UInt16(8 * bytes), validBits: UInt16(bits), mask: 4, data: data)
        try Data(wav.bytes).write(to: URL(filePath: folder.path("a.wav")))
        let made = try ExternalProgram("flac").run([
            "--totally-silent", "-o", folder.path("a.flac"), folder.path("a.wav"),
        ])
        try #require(made.status == 0, "\(made.errors)")
        let result = try ReaderTestResult(folder.path("a.flac"))
        #expect(result.sourceFormat == "FLAC \(bits)")
        #expect(result.frames == 5000)
        #expect(result.largestDifference(from: signal) <= 1 / scale)
    }
}
