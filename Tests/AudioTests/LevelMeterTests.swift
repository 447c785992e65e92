import ChirpAudio
import Foundation
import Testing

@Suite struct LevelMeterTests {
    private static func block(_ samples: [Float], channels: Int = 1) -> AudioBlock {
        var block = AudioBlock(format: AudioFormat(sampleRate: 48_000, channels: channels), capacity: samples.count)
        block.resize(toFrames: samples.count)
        for channel in 0..<channels {
            block.withMutablePlane(channel) { plane in for index in 0..<samples.count { plane[index] = samples[index] }
            }
        }
        return block
    }

    @Test(arguments: [480, 483, 7], [1, 2])
    func `a sine of known level reads its peak and 3 dB less`(count: Int, channels: Int) {
        let sine = (0..<count).map { Float(0.5 * sin(2 * Double.pi * Double($0) * 7 / Double(count))) }
        var meter = LevelMeter()
        let reading = meter.measure(Self.block(sine, channels: channels))
        let peak = Double(sine.map(abs).max() ?? 0)
        #expect(abs(reading.peak.value - 20 * log10(peak)) < 0.001)
        if count > 100 { #expect(abs(reading.rms.value - (20 * log10(0.5) - 3.0103)) < 0.01) }
        #expect(reading.clipped == 0)
    }

    @Test func `samples at full scale are counted as clipped`() {
        var meter = LevelMeter()
        let reading = meter.measure(Self.block([0, 1, -1, 0.9999, 1.5, 32767.0 / 32768, 0.5, 0, 0, -2, 0]))
        #expect(reading.clipped == 5)
        #expect(meter.clippedInAll == reading.clipped)
    }

    @Test func `silence has no level`() {
        var meter = LevelMeter()
        let reading = meter.measure(Self.block([Float](repeating: 0, count: 100)))
        #expect(reading.peak == .silence && reading.rms == .silence)
    }
}
