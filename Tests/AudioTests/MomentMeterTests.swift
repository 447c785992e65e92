import ChirpAudio
import ChirpTestKit
import Testing

/// W-2: what happened every 10 ms, wherever measuring begins.
struct MomentMeterTests {
    /// Noise under a tone, with a constant offset: what filters take long to forget.
    private static func signal(_ format: AudioFormat, seconds: Double) -> AudioBlock {
        let frames = Int(seconds * Double(format.sampleRate))
        var block = AudioBlock(format: format, capacity: frames)
        block.resize(toFrames: frames)
        var generator = SeededGenerator(seed: 7)
        for channel in 0..<format.channels {
            block.withMutablePlane(channel) { plane in
                for index in plane.indices {
                    let tone = Float(index % 50 < 25 ? 0.1 : -0.1)
                    plane[index] = 0.05 + tone + Float.random(in: -0.02...0.02, using: &generator)
                }
            }
        }
        return block
    }

    @Test(arguments: [8000, 22050, 44100, 48000], [1, 2])
    func `a meter that begins in the middle finds the same moments`(rate: Int, channels: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let block = Self.signal(format, seconds: 1.5)
        var whole = MomentMeter(format: format, removingRumble: true)
        whole.add(block)
        let expected = whole.finish()
        let start = Moments.frame(ofMoment: 71, sampleRate: rate)
        var late = MomentMeter(format: format, removingRumble: true, from: 71)
        late.settle(over: block, start - Int(MomentMeter.settlingSeconds * Double(rate))..<start)
        late.add(block, start..<block.frames)
        let found = late.finish()
        #expect(found.count == expected.count - 71)
        for index in 0..<found.count {
            #expect(abs(found[index].loudness / expected[71 + index].loudness - 1) < 0.002)
            #expect(abs(found[index].peak.value - expected[71 + index].peak.value) <= 0.25)
        }
    }

    @Test(arguments: [8000, 11025, 22050, 44100])
    func `two places at once give what each gives alone`(rate: Int) {
        let format = AudioFormat(sampleRate: rate, channels: 1)
        let block = Self.signal(format, seconds: 1.237)
        let lead = Int(MomentMeter.settlingSeconds * Double(rate))
        let half = Moments.frame(ofMoment: 61, sampleRate: rate)
        var alone = MomentMeter(format: format, removingRumble: false)
        alone.add(block, 0..<half)
        var aloneLater = MomentMeter(format: format, removingRumble: false, from: 61)
        aloneLater.settle(over: block, half - lead..<half)
        aloneLater.add(block, half..<block.frames)
        var first = MomentMeter(format: format, removingRumble: false)
        var second = MomentMeter(format: format, removingRumble: false, from: 61)
        MomentMeter.add(block, lead: (0, lead), (0..<half, half..<block.frames), to: &first, and: &second)
        let (found, foundLater) = (first.finish(), second.finish())
        let (expected, expectedLater) = (alone.finish(), aloneLater.finish())
        #expect(found == expected)
        #expect(foundLater == expectedLater)
    }
}
