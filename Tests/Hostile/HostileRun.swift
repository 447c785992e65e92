import Foundation
import HostileFiles

/// Gives cases to children, counts what becomes of them, and prints the report.
final class HostileRun {
    private let generator: HostileGenerator
    private let seeds: String
    private let seed: UInt64
    private let cases: Int
    private var report = HostileReport()

    /// A case that takes longer hangs.
    private static let patience: Int32 = 5000
    /// Cases per child: memory that libraries lose adds up no further.
    private static let portion = 1000

    init(generator: HostileGenerator, seeds: String, seed: UInt64, cases: Int) {
        self.generator = generator
        self.seeds = seeds
        self.seed = seed
        self.cases = cases
    }

    func execute() throws {
        print("\(cases) hostile files of \(generator.recipes.count) kinds, seed \(seed)")
        let begin = ContinuousClock.now
        var next = 0
        while next < cases {
            next = try runChild(next..<min(cases, next + Self.portion))
        }
        report.print(cases: cases, seconds: (ContinuousClock.now - begin) / .seconds(1))
        exit(report.isGood ? 0 : 1)
    }

    /// - Returns: the case to go on with.
    private func runChild(_ range: Range<Int>) throws -> Int {
        let child = try HostileProcess(["child", seeds, "\(seed)", "\(range.lowerBound)", "\(range.upperBound)"])
        var next = range.lowerBound
        var isHanging = false
        while true {
            guard let line = child.line(within: Self.patience) else {
                isHanging = true
                child.kill()
                break
            }
            guard !line.isEmpty else { break }
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let index = Int(words[0]), let peak = Int(words[1]) else { continue }
            next = index + 1
            report.add(String(words[2]), case: describe(index), peak: peak)
        }
        let (status, peak) = child.end()
        report.peak = max(report.peak, peak)
        guard next < range.upperBound else { return next }
        // A child that was killed for memory, by the system or by itself, died of the case too.
        report.add(isHanging ? "HANG" : "DEATH by \(status)", case: describe(next), peak: peak)
        return next + 1
    }

    private func describe(_ index: Int) -> String {
        let hostile = generator.makeCase(seed: seed, index: index)
        return "case \(index) (\(hostile.recipe); \(hostile.changes.joined(separator: ", ")))"
    }
}
