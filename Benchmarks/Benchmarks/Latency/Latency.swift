import Benchmark
import BenchmarkSupport
import ChirpAudio
import ChirpClips
import ChirpCore
import Glibc

/// How long a person waits between a finished recording and a finished, checked clip on the disk.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .instructions], warmupIterations: 1, maxDuration: .seconds(5),
        maxIterations: 50)
    for seconds in [1.0, 10, 60, 140] {
        let scratch = Scratch()
        Benchmark("recording to checked clip, mono \(Int(seconds)) s") { benchmark in
            let programme = Programme(seconds: seconds, format: AudioFormat(sampleRate: 44100, channels: 1))
            let path = try scratch.recording(programme)
            benchmark.startMeasurement()
            let request = ClipRequest(
                source: ClipSource(path: path, name: "recording.wav", sha256: ""), preset: .voice)
            let clip = try prepare(request) { _ in }
            blackHole(try make(clip, to: .file(scratch.file("clip.mp3"))) { _ in })
            benchmark.stopMeasurement()
            unlink(path)
        }
    }
}
