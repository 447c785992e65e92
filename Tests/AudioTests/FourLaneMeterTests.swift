import ChirpAudio
import ChirpTestKit
import Testing

/// W-2, W-9: four places of a signal in one vector measure what each would measure alone.
struct FourLaneMeterTests {
    /// Something that filters take long to forget.
    private static func signal(_ format: AudioFormat, frames: Int) -> Signal {
        let seconds = Double(frames) / Double(format.sampleRate)
        var signal = Signal.noise(format, level: -30, seconds: seconds)
        signal = signal + .sine(format, frequency: 150, level: -12, seconds: seconds)
        for channel in signal.planes.indices {
            for index in signal.planes[channel].indices { signal.planes[channel][index] += 0.05 }
        }
        return signal
    }

    /// A block with silence or what comes before in front, and behind whatever a meter may look at.
    private static func block(_ signal: Signal, lead: Int, span: Int, from start: Int = 0) -> AudioBlock {
        var block = AudioBlock(format: signal.format, capacity: lead + span)
        block.resize(toFrames: block.capacity)
        for channel in signal.planes.indices {
            let samples = signal.planes[channel]
            block.withMutablePlane(channel) { plane in
                for index in plane.indices {
                    let frame = start + index - lead
                    // Loud, so that it would show.
                    plane[index] = frame < 0 ? 0 : frame < samples.count ? samples[frame] : 0.9
                }
            }
        }
        return block
    }

    private static func lead(_ format: AudioFormat) -> Int {
        Int(FourLaneMeter.settlingSeconds * Double(format.sampleRate))
    }

    /// A filter as its definition says, over a whole signal from silence on.
    private func filtered(_ filter: Biquad, _ samples: [Double]) -> [Double] {
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        return samples.map { x in
            let y = filter.b0 * x + filter.b1 * x1 + filter.b2 * x2 - filter.a1 * y1 - filter.a2 * y2
            (x1, x2, y1, y2) = (x, x1, y, y1)
            return y
        }
    }

    @Test(arguments: [8000, 11025, 22050, 44100, 48000, 12347], [1, 2, 3, 79, 80, 440, 441, 442, 1763, 4411, 44223])
    func `every place measures what plain filters do`(rate: Int, frames: Int) {
        let format = AudioFormat(sampleRate: rate, channels: frames % 2 + 1)
        let rumble = frames % 3 > 0
        let signal = Self.signal(format, frames: frames)
        let lead = Self.lead(format)
        let meter = FourLaneMeter(windowsOf: format, removingRumble: rumble)
        let block = Self.block(signal, lead: lead, span: meter.span(from: 0, frames: signal.frames))
        let found = meter.measure(block, lead: lead, frames: signal.frames, from: 0)
        #expect(found.reduce(0) { $0 + $1.frames } == frames)
        #expect(found.dropLast().allSatisfy { $0.isWhole })
        let apart = meter.unitsApart(from: 0, frames: signal.frames)
        for (index, unit) in found.enumerated() {
            let place = index / apart * apart
            let origin = LevelWindows.frame(ofWindow: place, sampleRate: rate)
            let begin = LevelWindows.frame(ofWindow: index, sampleRate: rate)
            // The others begin as these do.
            guard index - place < 2 || index % 37 == 0 || !unit.isWhole else { continue }
            var (loudness, voice, peak) = (0.0, 0.0, 0.0)
            for samples in signal.planes {
                let heard = (origin - lead..<begin + unit.frames).map { $0 < 0 ? 0 : Double(samples[$0]) }
                let kept = rumble ? filtered(.highPass(frequency: 20, sampleRate: rate), heard) : heard
                let weighted = filtered(.kHighPass(sampleRate: rate), filtered(.kShelf(sampleRate: rate), kept))
                loudness += weighted.suffix(unit.frames).reduce(0) { $0 + $1 * $1 }
                voice += filtered(.highPass(frequency: 80, sampleRate: rate), kept).suffix(unit.frames)
                    .reduce(0) { $0 + $1 * $1 }
                peak = kept.suffix(unit.frames).reduce(peak) { max($0, abs($1)) }
            }
            #expect(abs(unit.loudness / loudness - 1) < 1e-9)
            #expect(abs(unit.voice / voice - 1) < 1e-9)
            #expect(abs(unit.peak / peak - 1) < 1e-9)
        }
    }

    @Test(arguments: [8000, 11025, 22050, 44100], [1, 2])
    func `a stretch from the middle is measured as if from the beginning`(rate: Int, channels: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let signal = Self.signal(format, frames: 3 * rate)
        let lead = Self.lead(format)
        let meter = FourLaneMeter(windowsOf: format, removingRumble: true)
        var alone = LevelWindowMeter(format: format, removingRumble: true)
        signal.forEachBlock { alone.add($0) }
        let expected = alone.finish()
        let start = LevelWindows.frame(ofWindow: 71, sampleRate: rate)
        let frames = signal.frames - start
        let block = Self.block(signal, lead: lead, span: meter.span(from: 71, frames: frames), from: start)
        let found = meter.measure(block, lead: lead, frames: frames, from: 71).map {
            LevelWindow($0, channels: channels)
        }
        #expect(found.count == expected.count - 71)
        for (index, window) in found.enumerated() {
            #expect(abs(LUFS(energy: window.loudness).value - LUFS(energy: expected[71 + index].loudness).value) < 0.3)
            #expect(abs(window.voice.value - expected[71 + index].voice.value) <= 0.5)
            #expect(abs(window.peak.value - expected[71 + index].peak.value) <= 0.25)
        }
    }

    @Test(arguments: [44100, 22050, 11025], [1, 2])
    func `every version of the loops gives the same bits`(rate: Int, channels: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let signal = Self.signal(format, frames: rate * 2 + 77)
        let lead = Self.lead(format)
        for make: (Int) -> FourLaneMeter in [
            { FourLaneMeter(windowsOf: format, removingRumble: true, version: $0) },
            { FourLaneMeter(windowsOf: format, removingRumble: false, version: $0) },
            { FourLaneMeter(tenthsOf: format, version: $0) },
        ] {
            let found = Kernels.versions.map { version in
                let meter = make(version)
                let block = Self.block(signal, lead: lead, span: meter.span(from: 0, frames: signal.frames))
                return meter.measure(block, lead: lead, frames: signal.frames, from: 0)
            }
            #expect(Set(found).count == 1)
        }
    }

    @Test func `tenths of a second are K weighting alone`() {
        for (rate, frames) in [(44100, 44100 * 2 + 5), (11025, 12000), (22050, 2205), (48000, 3)] {
            let format = AudioFormat(sampleRate: rate, channels: 2)
            let signal = Self.signal(format, frames: frames)
            let meter = FourLaneMeter(tenthsOf: format)
            let lead = Self.lead(format)
            let block = Self.block(signal, lead: lead, span: meter.span(from: 0, frames: frames))
            let found = meter.measure(block, lead: lead, frames: frames, from: 0)
            var weighting = KWeighting(sampleRate: rate)
            signal.forEachBlock(of: frames) { weighting.add($0, 0..<$0.frames) }
            let expected = weighting.takeEnergy()
            #expect(abs(found.reduce(0) { $0 + $1.loudness } / expected - 1) < 1e-6)
            #expect(found.reduce(0) { $0 + $1.frames } == frames)
            #expect(found.last?.isWhole == (frames * 10 % rate == 0))
        }
    }

    @Test func `silence is nothing and an offset leaves nothing`() {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let lead = Self.lead(format)
        let meter = FourLaneMeter(windowsOf: format, removingRumble: true)
        let silence = Signal.silence(format, seconds: 1)
        let block = Self.block(silence, lead: lead, span: meter.span(from: 0, frames: 44100))
        for unit in meter.measure(block, lead: lead, frames: 44100, from: 0) {
            #expect(LevelWindow(unit, channels: 1) == .silence)
        }
        // Noise at -90 dBFS on half of full scale: after 0.3 s every place has forgotten the step.
        var noise = Signal.noise(format, level: -90, seconds: 4)
        for index in noise.planes[0].indices { noise.planes[0][index] += 0.5 }
        for rumble in [true, false] {
            let meter = FourLaneMeter(windowsOf: format, removingRumble: rumble)
            let block = Self.block(noise, lead: lead, span: meter.span(from: 0, frames: noise.frames))
            for unit in meter.measure(block, lead: lead, frames: noise.frames, from: 0).dropFirst(40) {
                let window = LevelWindow(unit, channels: 1)
                #expect(abs(window.voice.value + 90) < 1.5)
                #expect(abs(LUFS(energy: window.loudness).value + 87) < 1.5)
            }
        }
    }

    @Test func `a tail of the smallest numbers ends in silence`() {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        var signal = Signal.sine(format, frequency: 30, level: 0, seconds: 0.2)
            .followed(by: .silence(format, seconds: 3.8))
        let tiny = Float.leastNormalMagnitude / 100
        for index in 44100..<88200 { signal.planes[0][index] = index % 2 == 0 ? tiny : -tiny / 99 }
        let meter = FourLaneMeter(windowsOf: format, removingRumble: true)
        let lead = Self.lead(format)
        let block = Self.block(signal, lead: lead, span: meter.span(from: 0, frames: signal.frames))
        let units = meter.measure(block, lead: lead, frames: signal.frames, from: 0)
        #expect(units.count == 400)
        #expect(units.suffix(190).allSatisfy { $0.loudness == 0 && $0.voice == 0 && $0.peak == 0 })
        #expect(LevelWindow(units[10], channels: 1) != .silence)
    }
}
