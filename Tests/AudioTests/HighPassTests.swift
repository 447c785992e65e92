import ChirpAudio
import ChirpTestKit
import Testing

/// W-2, W-9: removing rumble, four samples at a time.
struct HighPassTests {
    private static func filtered(_ signal: Signal, block: Int, version: Int = Kernels.fastest) -> Signal {
        var filter = HighPass(format: signal.format, frequency: 20, version: version)
        var result = Signal.silence(signal.format, seconds: 0)
        signal.forEachBlock(of: block) { input in
            var output = AudioBlock(format: signal.format, capacity: block)
            mix(input, into: &output)
            filter.process(&output)
            for channel in result.planes.indices {
                output.withPlane(channel) { plane in
                    for index in plane.indices { result.planes[channel].append(plane[index]) }
                }
            }
        }
        return result
    }

    /// The filter as its definition says.
    private static func plain(_ signal: Signal) -> [[Double]] {
        let filter = Biquad.highPass(frequency: 20, sampleRate: signal.format.sampleRate)
        return signal.planes.map { plane in
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            return plane.map { sample in
                let x = Double(sample)
                let y = filter.b0 * x + filter.b1 * x1 + filter.b2 * x2 - filter.a1 * y1 - filter.a2 * y2
                (x1, x2, y1, y2) = (x, x1, y, y1)
                return y
            }
        }
    }

    @Test(arguments: [8000, 44100, 48000], [1, 2, 3, 4, 5, 7, 1000, 4096])
    func `however the blocks are cut it is the filter of its definition`(rate: Int, block: Int) {
        let format = AudioFormat(sampleRate: rate, channels: 2)
        var signal =
            Signal.noise(format, level: -20, seconds: 0.3) + .sine(format, frequency: 7, level: -6, seconds: 0.3)
        for index in signal.planes[1].indices { signal.planes[1][index] += 0.5 }
        let found = Self.filtered(signal, block: block)
        for (plane, expected) in zip(found.planes, Self.plain(signal)) {
            #expect(plane.count == expected.count)
            #expect(zip(plane, expected).allSatisfy { abs(Double($0) - $1) < 1e-7 })
        }
    }

    @Test(arguments: [-1, 0.5, 1e-3] as [Float], [1, 3, 4096])
    func `an offset is nothing from the first sample on`(offset: Float, block: Int) {
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        var signal = Signal.silence(format, seconds: 0.2)
        for index in signal.planes[0].indices { signal.planes[0][index] = offset }
        var filter = HighPass(format: format, frequency: 20, settled: true)
        signal.forEachBlock(of: block) { input in
            var output = AudioBlock(format: format, capacity: block)
            mix(input, into: &output)
            filter.process(&output)
            for channel in 0..<2 { #expect(output.withPlane(channel) { peak(of: $0) } < 1e-12) }
        }
    }

    @Test func `every version gives the same bits`() {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let signal =
            Signal.noise(format, level: -3, seconds: 0.2) + .sine(format, frequency: 11, level: -6, seconds: 0.2)
        #expect(Set(Kernels.versions.map { Self.filtered(signal, block: 4095, version: $0) }).count == 1)
    }

    @Test func `what rings out ends in silence`() {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let signal = Signal.sine(format, frequency: 30, level: 0, seconds: 0.1)
            .followed(by: .silence(format, seconds: 3))
        let found = Self.filtered(signal, block: 4096).planes[0]
        #expect(found.suffix(44100).allSatisfy { $0 == 0 })
    }
}
