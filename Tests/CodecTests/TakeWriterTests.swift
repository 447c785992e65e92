import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// A recording that can be read at any time, whatever becomes of its writer.
@Suite struct TakeWriterTests {
    private static func block(_ format: AudioFormat, from first: Int, frames: Int) -> AudioBlock {
        var block = AudioBlock(format: format, capacity: max(1, frames))
        block.resize(toFrames: frames)
        for channel in 0..<format.channels {
            block.withMutablePlane(channel) { plane in
                for index in 0..<frames { plane[index] = Float((first + index) % 997) / 1000 * (channel == 0 ? 1 : -1) }
            }
        }
        return block
    }

    private static func read(_ path: String) throws(AudioError) -> (frames: Int, isRight: Bool, format: AudioFormat) {
        var file = try AudioFile(opening: path, name: "take")
        var block = AudioBlock(format: file.format)
        var frames = 0
        var isRight = true
        while try file.read(into: &block) {
            for channel in 0..<file.format.channels {
                block.withPlane(channel) { plane in
                    for index in 0..<plane.count
                    where plane[index] != Float((frames + index) % 997) / 1000 * (channel == 0 ? 1 : -1) {
                        isRight = false
                    }
                }
            }
            frames += block.frames
        }
        return (frames, isRight, file.format)
    }

    @Test(arguments: [AudioFormat(sampleRate: 48_000, channels: 1), AudioFormat(sampleRate: 44_100, channels: 2)])
    func `after every block the file on disk holds exactly the frames so far`(format: AudioFormat) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("take.wav")
        var writer = try TakeWriter(path: path, format: format)
        var written = 0
        for count in [1, 4096, 100, 4095, 48_000, 1] {
            try writer.write(Self.block(format, from: written, frames: count))
            written += count
            // What a killed process leaves is the file as it is now.
            let copy = folder.path("copy.wav")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let found = try Self.read(copy)
            #expect(found.frames == written && found.isRight && found.format == format)
            try FileManager.default.removeItem(atPath: copy)
        }
        #expect(writer.frames == written)
        try writer.finish()
        let probe = try ExternalProgram("ffprobe").run([
            "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels,duration_ts", "-of", "csv=p=0",
            path,
        ])
        #expect(probe.text == "pcm_f32le,\(format.sampleRate),\(format.channels),\(written)")
    }

    @Test func `a writer that died between samples and header leaves whole frames`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("take.wav")
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        var writer = try TakeWriter(path: path, format: format)
        try writer.write(Self.block(format, from: 0, frames: 1000))
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 7, count: 4099))
        try handle.close()
        let found = try Self.read(path)
        #expect(found.isRight && found.frames == 1000)
    }

    @Test func `an existing file is never overwritten`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("take.wav")
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        #expect(throws: AudioError.self) {
            _ = try TakeWriter(path: path, format: AudioFormat(sampleRate: 8000, channels: 1))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    }
}
