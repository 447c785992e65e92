import Benchmark
import BenchmarkSupport
import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpMP3

/// The size of a clip is known before it is encoded: what knowing costs, and what encoding to find out would.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions], warmupIterations: 2, maxDuration: .seconds(2),
        maxIterations: 1000)
    let format = AudioFormat(sampleRate: 44100, channels: 1)
    let settings = MP3Settings(rate: .constant(kbps: 64))

    Benchmark("size of 1000 lengths") { _ in
        for frames in stride(from: 1000, to: 1_001_000, by: 1000) {
            blackHole(try MP3Size(frames: frames, format: format, settings: settings))
        }
    }
    let programme = Programme(seconds: 10, format: format)
    Benchmark("frames of a stream counted, 10 s") { benchmark in
        let scratch = Scratch()
        let path = scratch.file("clip.mp3")
        var writer = try MP3FileWriter(path: path, format: format, settings: settings)
        try programme.forEachBlock { (block) throws(AudioError) in try writer.write(block) }
        try writer.finish()
        let bytes = try readAll(path)
        benchmark.startMeasurement()
        var stream = MP3FrameStream()
        stream.push(bytes.span)
        stream.finish()
        blackHole(stream.frames)
    }
}
