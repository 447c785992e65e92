import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// The MP3 of a master for those who have bought one: as it sounds, and the same bytes each time (boards.md 2.3).
struct MasterCopyTests {
    /// Loud, with silence before and after, so that everything that clips do would be seen.
    private func master(_ format: AudioFormat, in place: Workplace) throws -> ClipSource {
        var signal = Signal.sine(format, frequency: 440, level: -0.1, seconds: 3)
        for channel in signal.planes.indices {
            for frame in 0..<format.sampleRate / 2 {
                signal.planes[channel][frame] = 0
                signal.planes[channel][signal.planes[channel].count - 1 - frame] = 0
            }
        }
        return try place.source(signal)
    }

    @Test(arguments: [AudioFormat(sampleRate: 44_100, channels: 2), AudioFormat(sampleRate: 48_000, channels: 1)])
    func `a copy is as long and as loud as its master, at 320 kbps`(_ format: AudioFormat) throws {
        let place = try Workplace()
        let source = try master(format, in: place)
        var files: [Data] = []
        for name in ["one", "other"] {
            let path = "\(place.path)/\(name).mp3"
            let plan = try prepare(ClipRequest(copyOf: source)) { _ in }
            let receipt = try make(plan, to: .file(path)) { _ in }
            let clip = try #require(receipt.clip)
            #expect(abs(clip.seconds - 3) < 0.001 && clip.channels == format.channels)
            #expect(receipt.level.method == .none && receipt.level.gainDB == 0 && receipt.level.limitedDB == 0)
            let before = try #require(receipt.level.beforeLUFS)
            #expect(abs(try #require(receipt.level.afterLUFS) - before) < 0.1)
            files.append(try Data(contentsOf: URL(filePath: path)))
        }
        #expect(files[0] == files[1])
        // 320,000 bits a second, and the frame that says how long it is.
        #expect(abs(Double(files[0].count) - 3 * 40_000) < 4000)
    }
}
