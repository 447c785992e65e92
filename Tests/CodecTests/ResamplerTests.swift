import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Testing

struct ResamplerTests {
    private func resampled(_ signal: Signal, to rate: Int, block: Int = 1000) throws -> Signal {
        var resampler = try Resampler(from: signal.format, to: rate)
        let format = AudioFormat(sampleRate: rate, channels: signal.format.channels)
        var output = AudioBlock(format: format, capacity: 700)
        var result = Signal.silence(format, seconds: 0)
        func keep() {
            for channel in result.planes.indices {
                output.withPlane(channel) { plane in
                    for index in plane.indices { result.planes[channel].append(plane[index]) }
                }
            }
        }
        try signal.forEachBlock(of: block) { (input) throws(AudioError) in
            resampler.add(input)
            while try resampler.take(into: &output) { keep() }
        }
        while try resampler.drain(into: &output) { keep() }
        return result
    }

    @Test(arguments: [4000, 22050, 44100, 96000, 384_000], [8000, 22050, 44100, 48000])
    func `a tone keeps its level, its place and its length`(from: Int, to rate: Int) throws {
        let format = AudioFormat(sampleRate: from, channels: 2)
        let source = Signal.sine(format, frequency: 500, level: -6, seconds: 0.21)
        let result = try resampled(source, to: rate)
        #expect(result.frames == Resampler.frames(source.frames, from: from, to: rate))
        let ideal = Signal.sine(result.format, frequency: 500, level: -6, seconds: 0.21)
        // Away from the ends, where the tone begins at once.
        for channel in 0..<2 {
            let errors = zip(result.planes[channel], ideal.planes[channel]).map { abs($0 - $1) }
            let worst = errors[(result.frames / 4)..<(result.frames * 3 / 4)].max()
            #expect(try #require(worst) < 0.002)
        }
    }

    @Test(arguments: [(96000, 48000), (44100, 22050), (11025, 12000), (384_000, 44100)])
    func `an offset is the same at both ends`(from: Int, to rate: Int) throws {
        var signal = Signal.silence(AudioFormat(sampleRate: from, channels: 2), seconds: 0.3)
        for index in 0..<signal.frames { (signal.planes[0][index], signal.planes[1][index]) = (0.5, -0.25) }
        let result = try resampled(signal, to: rate)
        #expect(result.planes[0].allSatisfy { $0 == 0.5 } && result.planes[1].allSatisfy { $0 == -0.25 })
    }

    @Test func `lengths are the nearest whole frames`() {
        #expect(Resampler.frames(44100, from: 44100, to: 48000) == 48000)
        #expect(Resampler.frames(1, from: 48000, to: 8000) == 0)
        #expect(Resampler.frames(3, from: 48000, to: 8000) == 1)
        #expect(Resampler.frames(0, from: 8000, to: 48000) == 0)
        #expect(Resampler.frames(384_000 * 86400, from: 384_000, to: 44100) == 44100 * 86400)
    }
}
