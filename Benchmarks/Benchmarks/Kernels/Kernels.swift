import Benchmark
import BenchmarkSupport
import ChirpAudio
import ChirpCodecs

/// What a sample costs in each step around the encoder: divide the time by the number of samples, 441,000 a channel.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions, .throughput], warmupIterations: 2,
        maxDuration: .seconds(2), maxIterations: 200)
    for channels in [1, 2] {
        let programme = Programme(seconds: 10, format: AudioFormat(sampleRate: 44100, channels: channels))
        let stretch = Stretch(programme)
        let name = channels == 1 ? "mono 10 s" : "stereo 10 s"

        Benchmark("windows of a stretch (analysis), \(name)") { _ in
            blackHole(stretch.measure(FourLaneMeter(windowsOf: programme.format, removingRumble: true)))
        }
        Benchmark("K-weighting of a stretch (self-check), \(name)") { _ in
            blackHole(stretch.measure(FourLaneMeter(tenthsOf: programme.format)))
        }
        Benchmark("windows block by block (recording), \(name)") { _ in
            var meter = LevelWindowMeter(format: programme.format, removingRumble: true)
            programme.forEachBlock { meter.add($0) }
            blackHole(meter.finish())
        }
        Benchmark("K-weighting block by block, \(name)") { _ in
            var weighting = KWeighting(sampleRate: programme.format.sampleRate)
            programme.forEachBlock { weighting.add($0, 0..<$0.frames) }
            blackHole(weighting.takeEnergy())
        }
        Benchmark("removing rumble, \(name)") { _ in
            var filter = HighPass(format: programme.format, frequency: 20)
            var out = AudioBlock(format: programme.format)
            programme.forEachBlock { block in
                mix(block, into: &out)
                filter.process(&out)
            }
            blackHole(out.frames)
        }
        Benchmark("true peak, \(name)") { _ in
            var meter = TruePeakMeter(channels: channels)
            programme.forEachBlock { meter.add($0) }
            blackHole(meter.peak())
        }
        Benchmark("loudness with true peak, \(name)") { _ in
            var meter = LoudnessMeter(format: programme.format)
            programme.forEachBlock { meter.add($0) }
            blackHole(meter.result())
        }
        for gain in [-20.0, 0.0, 12.0] {
            Benchmark("limiter, \(Int(gain)) dB, \(name)") { _ in
                var limiter = Limiter(format: programme.format, gain: Decibels(gain), ceiling: Decibels(-1))
                var out = AudioBlock(format: programme.format)
                programme.forEachBlock { block in
                    limiter.add(block)
                    while limiter.take(into: &out) { blackHole(out.frames) }
                }
                limiter.flush()
                while limiter.take(into: &out) { blackHole(out.frames) }
            }
        }
        Benchmark("resampling 44.1 to 48 kHz, \(name)") { _ in
            var resampler = try Resampler(from: programme.format, to: 48000)
            var out = AudioBlock(format: AudioFormat(sampleRate: 48000, channels: channels))
            try programme.forEachBlock { (block) throws(AudioError) in
                resampler.add(block)
                while try resampler.take(into: &out) { blackHole(out.frames) }
            }
            while try resampler.drain(into: &out) { blackHole(out.frames) }
        }
        Benchmark("copying into blocks (cost of the harness), \(name)") { _ in
            programme.forEachBlock { blackHole($0.frames) }
        }
    }
}
