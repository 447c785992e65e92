package import ChirpMusic
package import ChirpTestKit
internal import Foundation
internal import Glibc

/// Single claps, bounces and skips: recorded ones of Debian's hydrogen-drumkits where its folder is named, and made ones.
package struct EventSounds: Sendable {
    /// At 44.1 kHz. Of one instrument there are several hits.
    private let recorded: [EventCount.Kind: [[[Float]]]]

    private static let rate = 44100

    /// Made ones alone.
    package init() { recorded = [:] }

    /// Hand claps and snaps; drums and toms, which sound like balls on floors; sticks, which with a drum behind them sound like a rope and feet.
    ///
    /// - Parameter folder: that of drum kits; WAV and FLAC, read by `ffmpeg`.
    package init(folder: String) throws {
        let kinds: [(EventCount.Kind, [String])] = [
            (.claps, ["clap", "snap"]), (.bounces, ["kick", "tom", "head hit"]), (.skips, ["stick", "rim"]),
        ]
        var recorded: [EventCount.Kind: [[[Float]]]] = [:]
        let paths = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
        for (kind, words) in kinds {
            let fitting = paths.filter { path in
                let name = path.lowercased().split(separator: "/").last.map(String.init) ?? ""
                return (name.hasSuffix(".wav") || name.hasSuffix(".flac")) && words.contains { name.contains($0) }
            }
            // Hits of one instrument differ by a number or the force at the end of their names.
            let instruments = Dictionary(grouping: fitting) { path in
                String((path as NSString).deletingPathExtension.prefix { !$0.isNumber || $0 == "/" }.prefix(60))
            }
            let names = instruments.keys.sorted()
            // Some of every kit.
            recorded[kind] = try stride(from: 0, to: names.count, by: max(1, names.count / 16)).map { index in
                try (instruments[names[index]] ?? []).prefix(4).map { try Self.read("\(folder)/\($0)") }
            }
        }
        self.recorded = recorded
    }

    /// Hits of one instrument, each from its beginning, of about the same strength.
    package func pick(_ kind: EventCount.Kind, rate: Int, using random: inout SeededGenerator) -> (
        hits: [[Float]], isRecorded: Bool
    ) {
        let useRecorded = Bool.random(using: &random)
        let hits: [[Float]]
        let instrument = useRecorded ? recorded[kind]?.randomElement(using: &random) : nil
        if let instrument {
            let landing = kind == .skips ? recorded[.bounces]?.randomElement(using: &random)?.first : nil
            let delay = Int(Double.random(in: 0.02...0.12, using: &random) * Double(Self.rate))
            hits = instrument.map { Self.following($0, landing, after: delay) }
        } else {
            hits = Self.made(kind, using: &random)
        }
        let even = hits.map { hit in
            let begun = Self.trimmed(hit)
            let strength = level(of: begun.prefix(Self.rate / 20))
            let even = begun.map { $0 / max(1e-6, strength) * 0.1 }
            return rate == Self.rate ? even : resampled(even, ratio: Double(rate) / Double(Self.rate))
        }
        return (even, instrument != nil)
    }

    /// At most a second, which fades where the recording goes on: one that is cut while it rings ends with a click, and a click is one more
    /// beginning.
    private static func read(_ path: String) throws -> [Float] {
        let result = try ExternalProgram("ffmpeg").run([
            "-nostdin", "-hide_banner", "-loglevel", "error", "-i", path, "-t", "1", "-f", "f32le", "-ar", "\(rate)",
            "-ac", "1", "-",
        ])
        guard result.status == 0 else { throw CodecFailure(words: result.errors) }
        let samples = result.output.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        let kept = rate - rate / 5
        return samples.enumerated().map { index, sample in
            index < kept ? sample : sample * max(0, Float(rate - index) / Float(rate - kept))
        }
    }

    /// From where it has a tenth of its peak.
    private static func trimmed(_ hit: [Float]) -> [Float] {
        let loudest = hit.reduce(Float(0)) { max($0, abs($1)) }
        return Array(hit.drop { abs($0) < 0.1 * loudest })
    }

    private static func following(_ hit: [Float], _ other: [Float]?, after delay: Int) -> [Float] {
        guard let other else { return hit }
        let (first, second) = (trimmed(hit), trimmed(other))
        var sum = first + Array(repeating: 0, count: max(0, delay + second.count - first.count))
        let gain = level(of: first.prefix(rate / 20)) / max(1e-6, level(of: second.prefix(rate / 20)))
        for (index, sample) in second.enumerated() { sum[delay + index] += gain * sample }
        return sum
    }

    /// Six hits that differ a little.
    private static func made(_ kind: EventCount.Kind, using random: inout SeededGenerator) -> [[Float]] {
        let pitch = Double.random(in: 0.8...1.3, using: &random)
        let delay = Int(Double.random(in: 0.02...0.12, using: &random) * Double(rate))
        return (0..<6).map { _ in
            let own = pitch * Double.random(in: 0.95...1.05, using: &random)
            switch kind {
            case .claps:
                // Hands: a few short bursts around 1.5 kHz.
                var sum = [Float](repeating: 0, count: rate / 4)
                for burst in 0..<3 {
                    let place = burst * Int.random(in: 100...220, using: &random)
                    let noise = band(whiteNoise(rate / 5, using: &random), around: 1500 * own, width: 1200)
                    for (index, sample) in noise.enumerated() where place + index < sum.count {
                        sum[place + index] +=
                            sample * Float(exp(-Double(index) / Double(rate) / (burst == 2 ? 0.03 : 0.004)))
                    }
                }
                return sum
            case .bounces: return thud(190 * own, ringing: 800 * own, using: &random)
            case .skips:
                let tick = band(whiteNoise(rate / 10, using: &random), around: 3500 * own, width: 3000).enumerated().map
                {
                    $0.element * Float(exp(-Double($0.offset) / Double(rate) / 0.006))
                }
                return following(tick, thud(110 * own, ringing: 400 * own, using: &random), after: delay)
            }
        }
    }

    /// Something heavy and soft that falls.
    private static func thud(_ pitch: Double, ringing: Double, using random: inout SeededGenerator) -> [Float] {
        whiteNoise(rate / 3, using: &random).enumerated().map { index, noise in
            let time = Double(index) / Double(rate)
            let body = exp(-time / 0.05) * sin(2 * .pi * pitch * time)
            let ring = 0.25 * exp(-time / 0.04) * sin(2 * .pi * ringing * time)
            return Float(body + ring) + 0.4 * noise * Float(exp(-time / 0.003))
        }
    }

    /// A resonance.
    private static func band(_ samples: [Float], around frequency: Double, width: Double) -> [Float] {
        let radius = exp(-.pi * width / Double(rate))
        let (a1, a2) = (Float(-2 * radius * cos(2 * .pi * frequency / Double(rate))), Float(radius * radius))
        var (one, two) = (Float(0), Float(0))
        return samples.map { sample in
            let value = sample - a1 * one - a2 * two
            (two, one) = (one, value)
            return value
        }
    }
}
