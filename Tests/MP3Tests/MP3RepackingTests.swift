import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Testing

/// The bit reservoir's rules are LAME's: streams taken apart and put together are the same bytes.
@Suite struct MP3RepackingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let signal: MP3TestSignal
        let rate: MP3Settings.Rate
        let format: AudioFormat
        var testDescription: String { "\(signal) \(rate) \(format)" }
    }

    static let cases = MP3TestSignal.allCases.flatMap { signal in
        MP3Settings.sampleRates.flatMap { hertz in
            [1, 2].flatMap { channels in
                let format = AudioFormat(sampleRate: hertz, channels: channels)
                let kbps = MP3Settings.constantRates(at: hertz)
                let rates: [MP3Settings.Rate] = [
                    .constant(kbps: kbps[1]), .constant(kbps: kbps[kbps.count / 2]),
                    .constant(kbps: kbps[kbps.count - 1]),
                    .average(kbps: kbps[kbps.count / 2] + 5), .variable(quality: 0), .variable(quality: 4),
                    .variable(quality: 9),
                ]
                return rates.map { Case(signal: signal, rate: $0, format: format) }
            }
        }
    }

    @Test(arguments: cases) func `a stream put together again is the same`(_ one: Case) throws {
        let settings = MP3Settings(rate: one.rate)
        let planes = one.signal.planes(frames: one.format.sampleRate * 2, format: one.format)
        var sink = StreamSink(encoder: try MP3Encoder(format: one.format, settings: settings))
        try feed(planes, format: one.format, to: &sink)
        let stream = try sink.close()
        let again = repacked(stream, format: one.format, settings: settings, version: "3.100")
        #expect(again?.count == stream.count)
        #expect(
            again == stream,
            "first difference at \(zip(again ?? [], stream).enumerated().first { $1.0 != $1.1 }?.offset ?? -1)")
    }
}

/// A bare stream in memory.
struct StreamSink: ~Copyable, AudioWriter {
    private var encoder: MP3Encoder
    private var bytes: [UInt8] = []

    init(encoder: consuming MP3Encoder) { self.encoder = encoder }

    mutating func write(_ block: borrowing AudioBlock) throws(AudioError) { try encoder.encode(block, into: &bytes) }

    consuming func finish() throws(AudioError) { _ = try close() }

    consuming func close() throws(AudioError) -> [UInt8] {
        var bytes = bytes
        try encoder.finish(into: &bytes)
        return bytes
    }
}
