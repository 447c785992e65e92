import Benchmark
import BenchmarkSupport
import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Glibc

/// Encoding alone: LAME on one thread is the budget, several threads are to divide it.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions, .peakMemoryResident], warmupIterations: 1,
        maxDuration: .seconds(5), maxIterations: 20)
    let scratch = Scratch()
    let cores = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let signals = [
        ("mono 10 s", 10.0, 1, MP3Settings(rate: .constant(kbps: 64))),
        ("mono 60 s", 60.0, 1, MP3Settings(rate: .constant(kbps: 64))),
        ("stereo 60 s", 60.0, 2, MP3Settings(rate: .constant(kbps: 192))),
        ("stereo 60 s V2", 60.0, 2, MP3Settings(rate: .variable(quality: 2))),
    ]
    for (name, seconds, channels, settings) in signals {
        let programme = Programme(seconds: seconds, format: AudioFormat(sampleRate: 44100, channels: channels))
        for jobs in [1, cores] {
            Benchmark("encode \(name), \(jobs == 1 ? "one thread" : "all cores")") { _ in
                var writer = try MP3FileWriter(
                    path: scratch.file("clip.mp3"), format: programme.format, settings: settings, jobs: jobs,
                    expectedFrames: programme.frames)
                try programme.forEachBlock { (block) throws(AudioError) in try writer.write(block) }
                blackHole(try writer.close())
            }
        }
    }
}
