import Foundation

/// The seed of a test that is meant to vary from run to run: `CHIRP_TEST_SEED`, or the clock when that is not set.
///
/// A test names it in the comment of what it expects (`"\(seed)"`), so that a failure can be repeated.
public struct TestSeed: Sendable, CustomStringConvertible {
    public let value: UInt64

    public init() { value = Self.chosen ?? UInt64(Date().timeIntervalSince1970 * 1000) }

    /// Numbers for one task after the other.
    public var generator: SeededGenerator { SeededGenerator(seed: value) }

    /// Numbers that depend on the seed and a name alone: tasks that run in any order draw the same ones in every run.
    public func generator(for name: String) -> SeededGenerator {
        // FNV-1a, since Swift's own hash differs from process to process.
        let hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return SeededGenerator(seed: value ^ hash)
    }

    /// How the run is repeated.
    public var description: String { "CHIRP_TEST_SEED=\(value)" }

    /// A value that is no number counts as none: a test that could not be repeated says so by the seed it prints.
    private static let chosen = ProcessInfo.processInfo.environment["CHIRP_TEST_SEED"].flatMap { UInt64($0) }
}
