import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpMP3
import Glibc

/// Times whole clips beside LAME alone, in turn.
struct EncodeBench: Sendable {
    /// For the recordings and clips, which are removed again.
    let folder: String
    /// Seconds of the recordings.
    let lengths: [Int]
    let rounds: Int

    private struct Sample {
        var wall: Double
        var processor: Double
    }

    private struct Way {
        var name: String
        var run: (_ source: String, _ target: String) throws(AudioError) -> Void
    }

    /// Blocking.
    ///
    /// - Parameter progress: how much is done, 0...1.
    func run(progress: (Double) -> Void) throws(AudioError) -> [BenchRow] {
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        var ways = [
            Way(name: "LAME alone", run: encodeOnly),
            Way(
                name: "clip, one thread",
                run: { (source, target) throws(AudioError) in
                    try makeClip(source, target, jobs: 1)
                }),
        ]
        if cores > 1 {
            ways.append(
                Way(
                    name: "clip, \(cores) threads",
                    run: { (source, target) throws(AudioError) in
                        try makeClip(source, target, jobs: cores)
                    }))
        }
        var rows: [BenchRow] = []
        // What a second of audio costs is the same everywhere, and the recordings' lengths are known.
        let total = Double(lengths.reduce(0, +) * (rounds + 1) * ways.count)
        var done = 0.0
        for seconds in lengths {
            let stem = "\(folder)/chirp-bench-\(RandomName(length: 12))"
            let (source, target) = ("\(stem).wav", "\(stem).mp3")
            defer {
                unlink(source)
                unlink(target)
            }
            try BenchSignal.write(seconds: seconds, to: source)
            var samples = ways.map { _ in [Sample]() }
            // The first round only warms up.
            for round in 0...rounds {
                for (index, way) in ways.enumerated() {
                    if Task.isCancelled { throw .cancelled }
                    let sample = try time { () throws(AudioError) in try way.run(source, target) }
                    if round > 0 { samples[index].append(sample) }
                    done += Double(seconds)
                    progress(done / total)
                }
            }
            for (way, mine) in zip(ways, samples) {
                rows.append(row(way.name, seconds: Double(seconds), mine, beside: samples[0]))
            }
        }
        return rows
    }

    private func row(_ name: String, seconds: Double, _ mine: [Sample], beside reference: [Sample]) -> BenchRow {
        let wall = median(mine.map(\.wall))
        return BenchRow(
            name: name, seconds: seconds, wallSeconds: wall, processorSeconds: median(mine.map(\.processor)),
            ratio: median(zip(mine, reference).map { $0.wall / $1.wall }), timesRealTime: seconds / wall)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private func time(_ body: () throws(AudioError) -> Void) throws(AudioError) -> Sample {
        let (begin, used) = (ContinuousClock.now, Self.processorSeconds())
        try body()
        return Sample(wall: (ContinuousClock.now - begin) / .seconds(1), processor: Self.processorSeconds() - used)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

private let settings = MP3Settings(rate: .constant(kbps: 128))

/// Reads and encodes on one thread, and nothing else.
private func encodeOnly(_ source: String, _ target: String) throws(AudioError) {
    var file = try AudioFile(opening: source, name: "bench")
    var writer = try MP3FileWriter(path: target, format: file.format, settings: settings)
    var block = AudioBlock(format: file.format)
    while try file.read(into: &block) { try writer.write(block) }
    try writer.finish()
}

private func makeClip(_ source: String, _ target: String, jobs: Int) throws(AudioError) {
    var request = ClipRequest(source: ClipSource(path: source, name: "bench", sha256: ""), preset: .voice)
    request.settings = settings
    request.jobs = jobs
    _ = try make(try prepare(request) { _ in }, to: .file(target)) { _ in }
}
