import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-3, W-9: several threads make the bytes that one makes.
@Suite struct MP3ParallelTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let signal: MP3TestSignal
        let rate: MP3Settings.Rate
        let format: AudioFormat
        let jobs: Int
        var testDescription: String { "\(signal) \(rate) \(format) \(jobs) threads" }
    }

    /// 5 signals, 9 sample rates, mono and stereo, 4 ways to spend bits: 360 combinations. With `CHIRP_LONG_TESTS` in
    /// the environment all of them, otherwise every fifth.
    static let cases = {
        let all = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil
        return everyCase.enumerated().filter { all || $0.offset % 5 == 0 }.map(\.element)
    }()

    private static let everyCase = MP3TestSignal.allCases.enumerated().flatMap { (number, signal) in
        MP3Settings.sampleRates.flatMap { hertz in
            [1, 2].flatMap { channels in
                let kbps = MP3Settings.constantRates(at: hertz)
                let rates: [MP3Settings.Rate] = [
                    .constant(kbps: kbps[2 + number % 3]), .constant(kbps: kbps[kbps.count - 1 - number % 4]),
                    .average(kbps: kbps[kbps.count / 2] + number),
                    .variable(quality: (number * 2 + channels) % 10),
                ]
                let format = AudioFormat(sampleRate: hertz, channels: channels)
                return rates.enumerated().map { index, rate in
                    Case(signal: signal, rate: rate, format: format, jobs: 2 + (index + number) % 3)
                }
            }
        }
    }

    @Test(arguments: cases) func `several threads make the bytes that one makes`(_ one: Case) throws {
        let settings = MP3Settings(rate: one.rate)
        // Nine chunks and a bit, each of 48 or 49 MP3 frames: up to three encoders.
        let length = (one.format.sampleRate >= 32000 ? 1152 : 576) * 49 * 9 + 1234
        let planes = one.signal.planes(frames: length, format: one.format)
        var serial = StreamSink(encoder: try MP3Encoder(format: one.format, settings: settings))
        try feed(planes, format: one.format, to: &serial)
        let expected = try serial.close()
        var parallel = ParallelSink(
            encoder: try ParallelMP3Encoder(
                format: one.format, settings: settings, pool: WorkerPool(threads: one.jobs), expectedFrames: length))
        try feed(planes, format: one.format, to: &parallel)
        let (bytes, _) = try parallel.close()
        let difference = zip(bytes, expected).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(bytes.count == expected.count && difference == nil, "first at \(difference ?? -1) of \(expected.count)")
    }

    @Test func `an unknown length and any block size make no difference`() throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let settings = MP3Settings(rate: .constant(kbps: 64))
        for length in [0, 1, 1151, 56448, 56449, 500_000] {
            let planes = MP3TestSignal.speech.planes(frames: length, format: format)
            var serial = StreamSink(encoder: try MP3Encoder(format: format, settings: settings))
            try feed(planes, format: format, to: &serial)
            let expected = try serial.close()
            for (blocks, expectedFrames) in [(999, nil), (56448, 100_000), (4096, 10_000_000)] as [(Int, Int?)] {
                var parallel = ParallelSink(
                    encoder: try ParallelMP3Encoder(
                        format: format, settings: settings, pool: WorkerPool(threads: 2),
                        expectedFrames: expectedFrames, shortest: 1))
                try feed(planes, format: format, blocks: blocks, to: &parallel)
                let isSame = try parallel.close().bytes == expected
                #expect(isSame, "\(length) frames in blocks of \(blocks)")
            }
        }
    }

    @Test func `files of one and of several threads are the same, info frame and all`() throws {
        let folder = try TemporaryFolder()
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let planes = MP3TestSignal.music.planes(frames: 44100 * 20, format: format)
        for rate in [MP3Settings.Rate.constant(kbps: 128), .average(kbps: 128), .variable(quality: 4)] {
            var files: [Data] = []
            for jobs in 1...3 {
                let path = folder.path("\(jobs).mp3")
                try encode(planes, format: format, settings: MP3Settings(rate: rate), jobs: jobs, to: path)
                files.append(try Data(contentsOf: URL(filePath: path)))
            }
            #expect(files[0] == files[1] && files[0] == files[2], "\(rate)")
        }
    }

    @Test func `encoders that never agree go on to the end`() throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let planes = MP3TestSignal.speech.planes(frames: 49 * 1152 * 8, format: format)
        for rate in [MP3Settings.Rate.constant(kbps: 64), .variable(quality: 4)] {
            let settings = MP3Settings(rate: rate)
            var serial = StreamSink(encoder: try MP3Encoder(format: format, settings: settings))
            try feed(planes, format: format, to: &serial)
            let expected = try serial.close()
            var parallel = ParallelSink(
                encoder: try ParallelMP3Encoder(
                    format: format, settings: settings, pool: WorkerPool(threads: 3), expectedFrames: planes[0].count,
                    sameFrames: .max))
            try feed(planes, format: format, to: &parallel)
            let (bytes, history) = try parallel.close()
            #expect(bytes == expected && history.segments > 1 && !history.beganAgain, "\(rate)")
        }
    }

    @Test func `where packing would change the sound, one thread begins again`() throws {
        // Loud noise wants more than the highest rate, so that what was saved before a frame decides about it.
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let settings = MP3Settings(rate: .variable(quality: 0))
        var planes = MP3TestSignal.music.planes(frames: 49 * 1152 * 8, format: format)
        for channel in 0..<2 {
            var noise = MP3TestNoise(seed: UInt64(channel + 1))
            for index in planes[channel].indices where index / 30000 % 3 > 0 { planes[channel][index] = noise.next() }
        }
        var serial = StreamSink(encoder: try MP3Encoder(format: format, settings: settings))
        try feed(planes, format: format, to: &serial)
        let expected = try serial.close()
        var parallel = ParallelSink(
            encoder: try ParallelMP3Encoder(
                format: format, settings: settings, pool: WorkerPool(threads: 2), expectedFrames: planes[0].count))
        try feed(planes, format: format, to: &parallel)
        let (bytes, history) = try parallel.close()
        #expect(bytes == expected)
        #expect(history.beganAgain)
    }

    @Test(arguments: [
        (MP3TestSignal.speech, 1, MP3Settings.Rate.constant(kbps: 64)), (.music, 2, .constant(kbps: 192)),
        (.bursts, 2, .variable(quality: 4)), (.squares, 1, .average(kbps: 96)), (.silence, 2, .constant(kbps: 128)),
    ])
    func `other programs find no error in what several threads made`(
        signal: MP3TestSignal, channels: Int, rate: MP3Settings.Rate
    ) throws {
        let folder = try TemporaryFolder()
        let format = AudioFormat(sampleRate: 44100, channels: channels)
        let path = folder.path("clip.mp3")
        let planes = signal.planes(frames: 44100 * 12, format: format)
        // Without any tag mp3val warns.
        let settings = MP3Settings(rate: rate)
        try encode(planes, format: format, settings: settings, tag: ID3Tag(title: "t"), jobs: 3, to: path)
        let ffmpeg = try ExternalProgram("ffmpeg").run(["-v", "warning", "-nostdin", "-i", path, "-f", "null", "-"])
        #expect(ffmpeg.status == 0 && ffmpeg.errors.isEmpty, "\(ffmpeg.errors)")
        let mpg123 = try ExternalProgram("mpg123").run(["-t", path])
        let words = mpg123.errors.lowercased()
        #expect(mpg123.status == 0 && !words.contains("error") && !words.contains("warning"), "\(mpg123.errors)")
        let mp3val = try ExternalProgram("mp3val").run([path])
        #expect(mp3val.status == 0 && !mp3val.text.contains("WARNING"), "\(mp3val.text)")
    }

    @Test func `an encoder that is dropped in the middle stops its threads`() throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let planes = MP3TestSignal.speech.planes(frames: 300_000, format: format)
        for _ in 0..<5 {
            var parallel = ParallelSink(
                encoder: try ParallelMP3Encoder(
                    format: format, settings: MP3Settings(rate: .constant(kbps: 64)), pool: WorkerPool(threads: 3),
                    expectedFrames: nil))
            try feed(planes, format: format, to: &parallel)
        }
    }
}

/// A bare stream in memory, made by several threads.
struct ParallelSink: ~Copyable, AudioWriter {
    private var encoder: ParallelMP3Encoder
    private var bytes: [UInt8] = []

    init(encoder: consuming ParallelMP3Encoder) { self.encoder = encoder }

    mutating func write(_ block: borrowing AudioBlock) throws(AudioError) { try encoder.encode(block, into: &bytes) }

    consuming func finish() throws(AudioError) { _ = try close() }

    consuming func close() throws(AudioError) -> (bytes: [UInt8], history: (segments: Int, beganAgain: Bool)) {
        while try encoder.finish(into: &bytes) {}
        return (bytes, encoder.history)
    }
}
