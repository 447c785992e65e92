import ChirpAudio
import ChirpTestKit
import Testing

struct KernelTests {
    @Test(arguments: [0, 1, 7, 8, 9, 16, 31, 33, 1000], Kernels.versions)
    func `the peak is the largest magnitude wherever it stands`(count: Int, version: Int) {
        for place in 0..<min(count, 50) {
            var samples = [Float](repeating: 0.25, count: count)
            samples[place] = place % 2 == 0 ? -0.75 : 0.75
            #expect(peak(of: samples.span, version: version) == 0.75)
        }
        #expect(peak(of: [Float](repeating: -0.5, count: count).span, version: version) == (count > 0 ? 0.5 : 0))
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 31, 1000])
    func `a product is the same in every version`(count: Int) {
        var random = SeededGenerator(seed: 8)
        let (one, other) = ((0..<count).map { Float($0 % 7) - 3 }, (0..<count).map { Float($0 % 5) + 0.5 })
        let sum = zip(one, other).reduce(Float(0)) { $0 + $1.0 * $1.1 }
        #expect(product(of: one.span, and: other.span) == sum)
        let noise = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
        let found = Kernels.versions.map { product(of: noise.span, and: other.span, version: $0).bitPattern }
        #expect(Set(found).count == 1)
    }

    @Test func `interleaving and back changes nothing`() {
        let signal = Signal.noise(AudioFormat(sampleRate: 8000, channels: 2), level: -10, seconds: 0.1)
        signal.forEachBlock(of: 333) { block in
            var woven = [Float](repeating: 0, count: block.frames * 2)
            var span = woven.mutableSpan
            interleave(block, into: &span)
            var back = AudioBlock(format: block.format, capacity: 333)
            deinterleave(woven.span, frames: block.frames, into: &back)
            for channel in 0..<2 {
                let same = block.withPlane(channel) { a in
                    back.withPlane(channel) { b in
                        a.count == b.count && a.indices.allSatisfy { a[$0] == b[$0] }
                    }
                }
                #expect(same)
            }
        }
    }

    @Test func `a fade keeps what lies before it and ends in silence`() {
        var samples = [Float](repeating: 1, count: 100)
        var span = samples.mutableSpan
        fadeOut(&span, position: -20, length: 60)
        #expect(samples[..<20].allSatisfy { $0 == 1 })
        #expect(zip(samples[20..<79], samples[21..<80]).allSatisfy { $0 > $1 })
        #expect(samples[79...].allSatisfy { $0 == 0 })
    }

    @Test func `two channels become one by their mean`() {
        let stereo = AudioFormat(sampleRate: 8000, channels: 2)
        let signal = Signal(format: stereo, planes: [[1, 0.5, 0], [0, 0.5, -1]])
        signal.forEachBlock { block in
            var mono = AudioBlock(format: AudioFormat(sampleRate: 8000, channels: 1))
            mix(block, into: &mono)
            let samples = mono.withPlane(0) { span in span.indices.map { span[$0] } }
            #expect(samples == [0.5, 0.5, -0.5])
        }
    }

    /// ITU-R BS.1770-4, annex 1, tables 1 and 2: the coefficients at 48 kHz.
    @Test func `k weighting has the coefficients of the standard`() {
        let shelf = Biquad.kShelf(sampleRate: 48000)
        let pass = Biquad.kHighPass(sampleRate: 48000)
        let pairs = [
            (shelf.b0, 1.53512485958697), (shelf.b1, -2.69169618940638), (shelf.b2, 1.19839281085285),
            (shelf.a1, -1.69065929318241), (shelf.a2, 0.73248077421585), (pass.a1, -1.99004745483398),
            (pass.a2, 0.99007225036621), (pass.b0, 1), (pass.b1, -2), (pass.b2, 1),
        ]
        for (own, standard) in pairs { #expect(abs(own - standard) < 1e-9) }
    }

    @Test(arguments: [(5.0, -24.0), (20.0, -3.0), (100.0, 0.0), (1000.0, 0.0)])
    func `the rumble filter is three decibels down at its corner`(frequency: Double, expected: Double) throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        var filter = HighPass(format: format, frequency: 20)
        var block = AudioBlock(format: format, capacity: 44100 * 2)
        var reader = Signal.sine(format, frequency: frequency, level: 0, seconds: 2).reader()
        _ = try reader.read(into: &block)
        filter.process(&block)
        let level = block.withPlane(0) { Decibels(amplitude: Double(peak(of: $0.extracting(44100...)))).value }
        #expect(abs(level - expected) < 0.25)
    }

    @Test func `windows keep levels within their steps and any sample rate in time`() {
        let window = LevelWindow(loudness: 0.0123, voice: 0.01, peak: 0.5)
        #expect(abs(LUFS(energy: window.loudness).value - LUFS(energy: 0.0123).value) < 0.005)
        #expect(abs(window.voice.value + 20) <= 0.25)
        #expect(abs(window.peak.value + 6.02) <= 0.125)
        #expect(
            LevelWindow.silence.loudness == 0 && LevelWindow.silence.voice == .silence
                && LevelWindow.silence.peak == .silence)
        for rate in [8000, 11025, 22050, 44100, 48000] {
            for index in [0, 1, 99, 100, 8_640_000] {
                let frame = LevelWindows.frame(ofWindow: index, sampleRate: rate)
                #expect(LevelWindows.window(atFrame: frame, sampleRate: rate) == index)
                #expect(abs(Double(frame) / Double(rate) - Double(index) / 100) < 1 / Double(rate))
            }
        }
    }

    @Test func `a day of silence takes no memory and a recording keeps its windows`() {
        let loud = LevelWindow(loudness: 1, voice: 1, peak: 1)
        var windows = LevelWindows()
        for index in 0..<20_000 { windows.append(index == 12_345 ? loud : .silence) }
        #expect(windows.count == 20_000)
        #expect(windows[12_345] == loud && windows[12_344] == .silence && windows[0] == .silence)
        #expect(windows == LevelWindows((0..<20_000).map { $0 == 12_345 ? loud : .silence }))
    }

    @Test(arguments: [1, 2], [8000, 11025, 44100, 48000])
    func `windows measure what a signal is`(channels: Int, rate: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let signal = Signal.sine(format, frequency: 997, level: -20, seconds: 1)
        var meter = LevelWindowMeter(format: format, removingRumble: true)
        signal.forEachBlock(of: 777) { meter.add($0) }
        #expect(meter.frames == rate)
        let windows = meter.finish()
        #expect(windows.count == 100)
        let window = windows[50]
        // 997 Hz at full scale is -3.01 LKFS in one channel and 0 in two (BS.1770-4, annex 1).
        #expect(abs(LUFS(energy: window.loudness).value - (channels == 1 ? -23.01 : -20)) < 0.1)
        #expect(abs(window.voice.value + 23.01) < 0.4)
        #expect(abs(window.peak.value + 20) < 0.2)
    }
}
