import ChirpAudio
import ChirpMusic
import Foundation

/// Measures what is heard in music: Benchmarks/alike.
///
///     tempi RATE FILE...
///     tempi nearest COUNT
///
/// A file holds mono samples of so many a second as floats of 32 bits, the lowest byte first. Prints a line of JSON for each, and nothing else.
@main
enum Tempi {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        if words.first == "nearest", let count = words.dropFirst().first.flatMap({ Int($0) }) { return nearest(count) }
        guard let rate = words.first.flatMap({ Int($0) }) else { return fail("the first word is the rate") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for path in words.dropFirst() {
            guard let data = FileManager.default.contents(atPath: path) else { return fail("cannot read \(path)") }
            print(String(decoding: try encoder.encode(line(path, samples(data), rate: rate)), as: UTF8.self))
        }
    }

    private static func samples(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { index in
                let pattern = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: pattern))
            }
        }
    }

    private static func line(_ path: String, _ samples: [Float], rate: Int) -> Line {
        var line = Line(path: path, profile: nil, refusal: nil, nanoseconds: 0)
        let start = clock()
        do throws(MusicAnalysisError) {
            var analysis = try MusicAnalysis(rate: rate)
            for start in stride(from: 0, to: samples.count, by: 4096) {
                analysis.append(samples.span.extracting(start..<min(samples.count, start + 4096)))
            }
            line.profile = try analysis.finish()
        } catch { line.refusal = "\(error)" }
        // Of the processor, whatever else runs.
        line.nanoseconds = Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9 / Double(max(1, samples.count))
        return line
    }

    /// The time that 200 searches for the ten nearest take, by the wall and by the processor.
    private static func nearest(_ count: Int) {
        var random = SystemRandomNumberGenerator()
        func made() -> SoundDescription? {
            SoundDescription((0..<SoundDescription.count).map { _ in .random(in: -1...1, using: &random) })
        }
        let entries = (0..<max(1, count)).compactMap { id in made().map { (id, $0) } }
        let index = LikenessIndex(entries)
        var times: [(wall: Double, processor: Double)] = []
        for search in 0..<200 {
            let start = clock()
            let wall = ContinuousClock().measure { _ = index.neighbours(of: search * 31 % entries.count, count: 10) }
            times.append((wall / .milliseconds(1), Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000))
        }
        func share(_ values: [Double], _ part: Double) -> Double { values.sorted()[Int(Double(values.count) * part)] }
        let (walls, processor) = (times.map(\.wall), times.map(\.processor))
        print(
            #"{"count":\#(entries.count),"median":\#(share(walls, 0.5)),"p95":\#(share(walls, 0.95)),"#
                + #""processorMedian":\#(share(processor, 0.5)),"processorP95":\#(share(processor, 0.95))}"#)
    }

    private static func fail(_ words: String) {
        FileHandle.standardError.write(Data("tempi: \(words)\n".utf8))
        exit(64)
    }
}

/// What is printed of a file.
private struct Line: Encodable {
    var path: String
    var profile: SoundProfile?
    var refusal: String?
    /// Of the processor's time, for a sample.
    var nanoseconds: Double
}
