import BenchmarkSupport
import ChirpAudio
import ChirpCodecs
import ChirpMP3

/// Runs one kernel over ten seconds of programme as often as asked, and nothing else: for a program that counts
/// instructions. The difference of two runs is the kernel's.
@main
struct Instructions {
    private static let kernels: [(name: String, channels: Int, run: @Sendable (Programme, Stretch) throws -> Void)] = [
        (
            "windows", 1,
            { programme, stretch in
                let meter = FourLaneMeter(windowsOf: programme.format, removingRumble: true)
                precondition(stretch.measure(meter).count == 1000)
            }
        ),
        (
            "k-weighting", 1,
            { programme, stretch in
                precondition(stretch.measure(FourLaneMeter(tenthsOf: programme.format)).count == 100)
            }
        ),
        (
            "high-pass", 1,
            { programme, _ in
                var filter = HighPass(format: programme.format, frequency: 20)
                var out = AudioBlock(format: programme.format)
                programme.forEachBlock { block in
                    mix(block, into: &out)
                    filter.process(&out)
                }
                precondition(out.frames > 0)
            }
        ),
        (
            "true-peak", 1,
            { programme, _ in
                var meter = TruePeakMeter(channels: programme.format.channels)
                programme.forEachBlock { meter.add($0) }
                precondition(meter.peak() > .silence)
            }
        ),
        (
            "loudness", 2,
            { programme, _ in
                var meter = LoudnessMeter(format: programme.format)
                programme.forEachBlock { meter.add($0) }
                precondition(meter.result().integrated != nil)
            }
        ),
        (
            "limiter", 2,
            { programme, _ in
                var limiter = Limiter(format: programme.format, gain: Decibels(12), ceiling: Decibels(-1))
                var out = AudioBlock(format: programme.format)
                var frames = 0
                programme.forEachBlock { block in
                    limiter.add(block)
                    while limiter.take(into: &out) { frames += out.frames }
                }
                limiter.flush()
                while limiter.take(into: &out) { frames += out.frames }
                precondition(frames == programme.frames)
            }
        ),
        (
            "encode", 1,
            { programme, _ in
                var encoder = try MP3Encoder(
                    format: programme.format, settings: MP3Settings(rate: .constant(kbps: 64)))
                var bytes: [UInt8] = []
                try programme.forEachBlock { (block) throws(AudioError) in try encoder.encode(block, into: &bytes) }
                try encoder.finish(into: &bytes)
                precondition(bytes.count > 70_000)
            }
        ),
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let turns = Int(arguments[2]),
            let kernel = kernels.first(where: { $0.name == arguments[1] })
        else {
            for kernel in kernels { print(kernel.name, kernel.channels * 441_000) }
            return
        }
        let programme = Programme(seconds: 10, format: AudioFormat(sampleRate: 44100, channels: kernel.channels))
        let stretch = Stretch(programme)
        for _ in 0..<turns { try kernel.run(programme, stretch) }
    }
}
