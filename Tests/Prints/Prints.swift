import ChirpAudio
import ChirpIntake
import ChirpMusic
import Foundation

/// Measures whether recordings are known again and stems make up their mix: Benchmarks/twins and Benchmarks/stems.
///
///     prints hear FILE...
///     prints compare KNOWN ASKED
///     prints stems MIX STEM...
///
/// `hear` goes the way of a track that arrives and prints a line of JSON for each, ``Heard``. `compare` reads two files of such lines and prints a line
/// for each that is asked, ``Answer``. `stems` prints what was found. Nothing else is printed.
@main
enum Prints {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("hear", 2...): for path in words.dropFirst() { try show(Heard(path)) }
        case ("compare", 3): try compare(words[1], words[2])
        case ("stems", 3...): try show(StemsHeard(mix: words[1], stems: Array(words.dropFirst(2))))
        default:
            let usage = "prints: hear FILE..., compare KNOWN ASKED, or stems MIX STEM...\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
    }

    private static func show(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private static func compare(_ known: String, _ asked: String) throws {
        let library = try lines(known)
        let prints = library.map(\.recording)
        let index = PrintIndex(prints)
        for one in try lines(asked) { try show(Answer(one, among: library, prints, index)) }
    }

    private static func lines(_ path: String) throws -> [Heard] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Heard.self, from: $0) }
    }
}

/// The processor's time of this process so far, in seconds, whatever else runs.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// What is kept of a recording.
struct Heard: Codable {
    let path: String
    /// Words of 32 bits, the lowest byte first; of a program of others there are words alone.
    var words = Data()
    var probes: Data?
    var seconds: Double?
    var refusal: String?
    /// Of the processor, in seconds: of all that is heard in a master.
    var cost: Double?

    init(_ path: String) {
        self.path = path
        let start = processorSeconds()
        do throws(AudioError) {
            let facts = try MasterFacts(hearing: path, name: path)
            cost = processorSeconds() - start
            seconds = facts.seconds
            words = Self.data(facts.trace?.print.words ?? [])
            probes = Self.data(facts.trace?.probes ?? [])
            refusal = facts.noTrace.map { "\($0)" }
        } catch { refusal = "\(error)" }
    }

    var recording: RecordingPrint { RecordingPrint(words: Self.numbers(words)) }
    var questions: [UInt32] { Self.numbers(probes ?? Data()) }

    private static func data(_ numbers: [UInt32]) -> Data {
        numbers.reduce(into: Data()) { data, number in
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
    }

    private static func numbers(_ data: Data) -> [UInt32] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
    }
}

/// What a recording was found to be.
struct Answer: Encodable {
    let path: String
    /// How it was found: what the index named, and of that what is the same recording.
    let candidates: Int
    let same: [String]
    /// Of the processor, in seconds: asking the index, and comparing what it named.
    let asking, comparing: Double
    /// The share of answers that differ from each of those known, compared with all; 1 where there is nothing to compare.
    let errors: [Double]

    init(_ heard: Heard, among library: [Heard], _ prints: [RecordingPrint], _ index: PrintIndex) {
        path = heard.path
        let own = heard.recording
        let start = processorSeconds()
        let named = heard.probes == nil ? [] : index.candidates(heard.questions)
        let asked = processorSeconds()
        same = named.filter { PrintMatch(own, prints[$0])?.isSame == true }.map { library[$0].path }
        comparing = processorSeconds() - asked
        asking = asked - start
        candidates = named.count
        errors = prints.map { PrintMatch(own, $0)?.errorRate ?? 1 }
    }
}

/// What was found of stems.
struct StemsHeard: Encodable {
    var findings: StemFindings?
    var refusal: String?

    init(mix: String, stems: [String]) {
        do throws(AudioError) {
            findings = try StemReading.check(mix: mix, stems: stems, name: "mix")
        } catch { refusal = "\(error)" }
    }
}
