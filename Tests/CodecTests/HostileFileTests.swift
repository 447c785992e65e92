import ChirpTestKit
import Foundation
import HostileFiles
import Testing

/// Whatever a stranger's file says about itself, reading ends in sound or in a refusal (W-1, W-2). `make fuzz` reads a hundred
/// thousand files more.
struct HostileFileTests {
    /// Another one finds other things: `CHIRP_FUZZ_SEED=7 make test`.
    static let seed = ProcessInfo.processInfo.environment["CHIRP_FUZZ_SEED"].flatMap { UInt64($0) } ?? 12

    /// In four parts, so that they run beside each other. A trap ends the run; the case is then the file that is left in the
    /// temporary folder, and its number follows from the seed with `hostile run`.
    @Test(arguments: 0..<4)
    func `boundary values in every field of every format end in sound or in a refusal`(_ part: Int) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fuzz/Corpus").standardized
        let generator = try HostileGenerator(
            folders: ["reader", "pictures"].map { folder.appending(path: $0) })
        let temporary = try TemporaryFolder()
        let reading = try HostileReading(path: temporary.path("hostile-\(Self.seed)-\(part)"))
        defer { reading.close() }
        var kinds: Set<HostileReading.Outcome> = []
        for index in stride(from: part, to: 4000, by: 4) {
            let hostile = generator.makeCase(seed: Self.seed, index: index)
            let outcome = reading.outcome(of: hostile.bytes)
            kinds.insert(outcome)
            if case .fault(let words) = outcome {
                Issue.record("seed \(Self.seed), case \(index): \(words); \(hostile.recipe), \(hostile.changes)")
            }
        }
        // The generator makes good files too, and bad ones.
        #expect(kinds.contains(.read) && kinds.count > 1)
    }

    @Test func `every recipe makes a file that can be read or is refused for its coding, when nothing is changed`()
        throws
    {
        let temporary = try TemporaryFolder()
        let reading = try HostileReading(path: temporary.path("good"))
        defer { reading.close() }
        let generator = HostileGenerator()
        var refused: [String] = []
        for recipe in generator.recipes where reading.outcome(of: recipe.unchanged) != .read {
            refused.append(recipe.name)
        }
        // Codings that the library does not have in these containers.
        #expect(refused.count < generator.recipes.count / 5, "\(refused)")
    }

    @Test func `the same seed and number make the same file`() {
        let generator = HostileGenerator()
        for index in 0..<300 {
            #expect(generator.makeCase(seed: 3, index: index).bytes == generator.makeCase(seed: 3, index: index).bytes)
        }
    }
}
