import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// W-2: files of more than two channels, read and measured as they are.
struct SurroundTests {
    /// A layout by its speaker mask, and what BS.1770-4 counts each channel for.
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String?
        let mask: UInt32?
        let weights: [Double]
        var testDescription: String { "\(name ?? "unknown"), mask \(mask.map { String($0, radix: 16) } ?? "none")" }
    }

    static let layouts: [Layout] = [
        Layout(name: "3.0", mask: 0x7, weights: [1, 1, 1]), Layout(name: "2.1", mask: 0xB, weights: [1, 1, 0]),
        Layout(name: "quadraphonic", mask: 0x33, weights: [1, 1, 1.41, 1.41]),
        Layout(name: "quadraphonic", mask: nil, weights: [1, 1, 1.41, 1.41]),
        Layout(name: "4.0", mask: 0x107, weights: [1, 1, 1, 1]),
        Layout(name: "5.0", mask: 0x37, weights: [1, 1, 1, 1.41, 1.41]),
        Layout(name: "5.1", mask: 0x3F, weights: [1, 1, 1, 0, 1.41, 1.41]),
        Layout(name: "5.1", mask: 0x60F, weights: [1, 1, 1, 0, 1.41, 1.41]),
        Layout(name: "5.1", mask: nil, weights: [1, 1, 1, 0, 1.41, 1.41]),
        // Beside side channels those behind stand at 135°.
        Layout(name: "7.1", mask: 0x63F, weights: [1, 1, 1, 0, 1, 1, 1.41, 1.41]),
        Layout(name: "5.1.2", mask: 0x503F, weights: [1, 1, 1, 0, 1.41, 1.41, 1, 1]),
        // Fewer places than channels, and one that nobody knows.
        Layout(name: nil, mask: 0x3, weights: [1, 1, 1]), Layout(name: nil, mask: 0x2000_0003, weights: [1, 1, 1]),
    ]

    private func file(_ samples: [Float], _ layout: Layout, in folder: TemporaryFolder) throws -> String {
        let wav = ReaderTestWav(
            channels: UInt16(layout.weights.count), mask: layout.mask, data: ReaderTestWav.samples16(samples))
        let path = folder.path("a.wav")
        try Data(wav.bytes).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: layouts) func `channels are given as they are, with their weights`(_ layout: Layout) throws {
        let folder = try TemporaryFolder()
        let count = layout.weights.count
        let samples = ReaderTestWav.signal(frames: 5000, channels: count)
        let path = try file(samples, layout, in: folder)
        var file = try AudioFile(opening: path, name: "a.wav", keepsChannels: true)
        #expect(
            file.format.channels == count && file.loudnessWeights == layout.weights && file.layoutName == layout.name)
        let expected: [AudioNote] =
            switch (layout.name, layout.mask) {
            case (nil, _): [.layoutUnknown(channels: count)]
            case (let name?, nil): [.layoutAssumed(layout: name)]
            default: []
            }
        #expect(file.notes == expected)
        var block = AudioBlock(format: file.format, capacity: 5000)
        #expect(try file.read(into: &block) && block.frames == 5000)
        for channel in 0..<count {
            block.withPlane(channel) { plane in
                #expect(plane.indices.allSatisfy { abs(plane[$0] - samples[$0 * count + channel]) < 1e-4 })
            }
        }
        // Their mixdown is what others read.
        guard layout.name != nil, layout.name != "5.1.2" else {
            #expect(throws: AudioError.self) { _ = try AudioFile(opening: path, name: "a.wav") }
            return
        }
        var mixed = AudioBlock(format: AudioFormat(sampleRate: 48000, channels: 2), capacity: 5000)
        file.mixToStereo(block, into: &mixed)
        let others = try ReaderTestResult(path)
        for side in 0..<2 {
            mixed.withPlane(side) { plane in
                #expect(plane.indices.allSatisfy { abs(plane[$0] - others.planes[side][$0]) < 1e-6 })
            }
        }
    }

    /// Layouts that both weigh as the standard does; ffmpeg counts everything behind the listener as a surround.
    @Test(arguments: layouts.filter { [0x33, 0x37, 0x3F, 0x60F].contains($0.mask) })
    func `ffmpeg and libebur128 measure the same`(_ layout: Layout) throws {
        let folder = try TemporaryFolder()
        let count = layout.weights.count
        // Another voice in every channel.
        let format = AudioFormat(sampleRate: 48000, channels: 1)
        let voices = (0..<count).map { Signal.speech(format, seconds: 6, seed: UInt64($0 + 1)).planes[0] }
        let samples = (0..<6 * 48000).flatMap { frame in voices.map { $0[frame] } }
        let path = try file(samples, layout, in: folder)
        var file = try AudioFile(opening: path, name: "a.wav", keepsChannels: true)
        var meter = LoudnessMeter(format: file.format, weights: file.loudnessWeights)
        // The library takes 4, 5 and 6 channels for these layouts.
        var reference = try ReferenceLoudnessMeter(format: file.format, dualMono: false)
        var block = AudioBlock(format: file.format)
        while try file.read(into: &block) {
            meter.add(block)
            try reference.add(block)
        }
        let (result, expected) = (meter.result(), try reference.result())
        let loudness = try #require(result.integrated).value
        #expect(abs(loudness - (try #require(expected.integrated).value)) < 0.02)
        #expect(abs(try #require(result.truePeak).value - expected.truePeak.value) < 0.3)
        let other = try ExternalProgram("ffmpeg").run([
            "-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
        ])
        let words = try #require(other.errors.components(separatedBy: "Summary:").last)
        func value(_ label: String) throws -> Double {
            let rest = try #require(words.range(of: label))
            return try #require(Double(words[rest.upperBound...].split(separator: " ").first ?? ""))
        }
        #expect(abs(loudness - (try value("I:"))) <= 0.11)
        #expect(abs(try #require(result.truePeak).value - (try value("Peak:"))) <= 0.3)
    }
}
