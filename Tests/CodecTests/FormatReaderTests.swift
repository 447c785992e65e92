import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Reading every format that is promised (W-1), against what another program wrote.
struct FormatReaderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// Arguments of ffmpeg between the input and the output name, and the output name.
        let arguments: [String]
        let name: String
        let format: String
        /// Largest difference of a sample; nil for lossy codings, which are compared by level and length.
        let tolerance: Float?
        var lengthTolerance = 0
        var sampleRate = 48_000
        var testDescription: String { "\(name) \(format)" }
    }

    static let cases: [Case] = [
        Case(arguments: ["-c:a", "pcm_u8"], name: "a.wav", format: "WAV PCM 8", tolerance: 0.01),
        Case(arguments: ["-c:a", "pcm_s16le"], name: "a.wav", format: "WAV PCM 16", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_s24le"], name: "a.wav", format: "WAV PCM 24", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_s32le"], name: "a.wav", format: "WAV PCM 32", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_f32le"], name: "a.wav", format: "WAV float 32", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_f64le"], name: "a.wav", format: "WAV float 64", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_alaw"], name: "a.wav", format: "WAV A-law", tolerance: 0.02),
        Case(arguments: ["-c:a", "pcm_mulaw"], name: "a.wav", format: "WAV mu-law", tolerance: 0.02),
        Case(arguments: ["-rf64", "always"], name: "a.wav", format: "RF64 PCM 16", tolerance: 1e-6),
        Case(
            arguments: ["-c:a", "adpcm_ima_wav"], name: "a.wav", format: "WAV IMA ADPCM", tolerance: nil,
            lengthTolerance: 2048),
        Case(arguments: [], name: "a.w64", format: "W64 PCM 16", tolerance: 1e-6),
        Case(arguments: [], name: "a.aiff", format: "AIFF PCM 16", tolerance: 1e-6),
        Case(arguments: ["-c:a", "pcm_f32be"], name: "a.aiff", format: "AIFF float 32", tolerance: 1e-6),
        Case(arguments: [], name: "a.caf", format: "CAF PCM 16", tolerance: 1e-6),
        Case(arguments: [], name: "a.au", format: "AU PCM 16", tolerance: 1e-6),
        Case(arguments: [], name: "a.flac", format: "FLAC 16", tolerance: 1e-6),
        Case(arguments: ["-sample_fmt", "s32"], name: "a.flac", format: "FLAC 24", tolerance: 1e-6),
        Case(arguments: ["-c:a", "flac"], name: "a.ogg", format: "Ogg FLAC 16", tolerance: 1e-6),
        Case(arguments: ["-c:a", "libvorbis", "-q:a", "6"], name: "a.ogg", format: "Ogg Vorbis", tolerance: nil),
        Case(arguments: ["-c:a", "libopus", "-b:a", "128k"], name: "a.opus", format: "Ogg Opus", tolerance: nil),
        Case(arguments: ["-c:a", "libmp3lame", "-b:a", "192k"], name: "a.mp3", format: "MP3", tolerance: nil),
        Case(arguments: ["-c:a", "libmp3lame", "-q:a", "4"], name: "a.mp3", format: "MP3", tolerance: nil),
        Case(
            arguments: ["-c:a", "mp2", "-b:a", "192k"], name: "a.mp2", format: "MP2", tolerance: nil,
            lengthTolerance: 2304),
        Case(
            arguments: ["-c:a", "libmp3lame", "-b:a", "192k", "-f", "wav"], name: "a.wav", format: "WAV MP3",
            tolerance: nil, lengthTolerance: 2304),
    ]

    @Test(arguments: cases, [1, 2])
    func `every format is recognised and read whole`(_ item: Case, channels: Int) throws {
        let folder = try TemporaryFolder()
        let frames = 30_000
        let signal = ReaderTestWav.signal(frames: frames, channels: channels)
        var wav = ReaderTestWav(channels: UInt16(channels), data: ReaderTestWav.samples16(signal))
        wav.sampleRate = UInt32(item.sampleRate)
        try Data(wav.bytes).write(to: folder.url.appending(path: "source.wav"))
        let path = folder.path(item.name)
        let made = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-nostdin", "-i", folder.path("source.wav")] + item.arguments + ["-y", path])
        try #require(made.status == 0, "\(made.errors)")

        let result = try ReaderTestResult(path)
        #expect(result.sourceFormat == item.format)
        #expect(result.format == AudioFormat(sampleRate: item.sampleRate, channels: channels))
        #expect(abs(result.frames - frames) <= item.lengthTolerance)
        #expect(result.notes.isEmpty)
        if let length = result.lengthAtStart { #expect(length == result.frames) }
        if let tolerance = item.tolerance {
            let quantised = signal.map { ($0 * 32768).rounded() / 32768 }
            for channel in 0..<channels {
                #expect(result.largestDifference(from: quantised, channel: channel, of: channels) <= tolerance)
            }
        } else {
            // Lossy: the level of each channel within 0.3 dB.
            for channel in 0..<channels {
                let original = signal.enumerated().filter { $0.offset % channels == channel }.map(\.element)
                #expect(abs(level(result.planes[channel]) - level(original)) < 0.3)
            }
        }
        // Going to a frame gives, to the bit, what reading on gave; from anywhere and in odd blocks.
        for start in [1, 4096, 12_345, result.frames - 1] {
            let part = try ReaderTestResult(path, from: start, capacity: 1000)
            for channel in 0..<channels { #expect(part.planes[channel] == Array(result.planes[channel][start...])) }
        }
    }

    /// The energy in decibels; not the mean, since silence around a lossy coding is no change of level.
    private func level(_ samples: [Float]) -> Double {
        10 * log10(samples.reduce(0) { $0 + Double($1 * $1) })
    }
}
