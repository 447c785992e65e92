internal import Glibc

/// Whether stems are the mix: their sum is taken away from it, and when much is left, which stem is to blame and for what.
///
/// Streaming; to be fed with blocks of all of them at the same time, the mix first.
package struct StemCheck: ~Copyable {
    /// The most stems of a mix: what is kept grows with their square, to 200 MB.
    package static let mostStems = 12

    private let stems: Int
    private let rate: Int
    private var correlations: StemCorrelations
    private var mixEnergy = 0.0
    private var residualEnergy = 0.0
    private var samples = 0
    private var cutSamples = 0
    private var level = StemLevel()

    /// - Parameters:
    ///   - stems: 1 to ``mostStems``.
    ///   - rate: of mix and stems, in hertz.
    package init(stems: Int, rate: Int) {
        precondition((1...Self.mostStems).contains(stems) && rate > 0)
        self.stems = stems
        self.rate = rate
        correlations = StemCorrelations(signals: stems + 1)
    }

    /// What is as large as this is where a coding ends: 1, but for a step of 16 bits and some rounding.
    private static let fullScale = 0.9999

    /// - Parameters:
    ///   - mix: a piece of each channel.
    ///   - stems: the same pieces of each stem, with as many channels and samples.
    package mutating func add(mix: [[Float]], stems pieces: [[[Float]]]) {
        precondition(pieces.count == stems && pieces.allSatisfy { $0.count == mix.count })
        let frames = mix.first?.count ?? 0
        for channel in mix.indices {
            for index in 0..<frames {
                let whole = Double(finite(mix[channel][index]))
                var sum = 0.0
                for stem in pieces { sum += Double(finite(stem[channel][index])) }
                mixEnergy += whole * whole
                level.add(whole, sum)
                samples += 1
                // What the sum has beyond full scale was cut off where the mix was written, and is no stem's fault.
                if abs(whole) >= Self.fullScale, sum / whole >= 1 {
                    cutSamples += 1
                } else {
                    residualEnergy += (whole - sum) * (whole - sum)
                }
            }
        }
        correlations.add(([mix] + pieces).map(Self.mono))
    }

    private static func mono(_ channels: [[Float]]) -> [Float] {
        guard let first = channels.first else { return [] }
        var sum = first.map(finite)
        for channel in channels.dropFirst() { for index in sum.indices { sum[index] += finite(channel[index]) } }
        return sum
    }

    /// What was found. Nothing may be added afterwards.
    package consuming func finish() -> StemFindings {
        correlations.finish()
        guard mixEnergy > 0 else { return StemFindings(residual: 0, faults: []) }
        let residual = Self.decibels(residualEnergy / mixEnergy)
        let cut = Double(cutSamples) / Double(max(1, samples))
        guard residual > StemFindings.good else { return StemFindings(residual: residual, faults: [], cut: cut) }
        var fit = StemFit(&correlations, stems: stems)
        let faults = fit.faults(rate: rate)
        var after: StemFindings.Mastering?
        if faults.isEmpty {
            let followed = Self.decibels(min(level.left / mixEnergy, fit.share))
            let isFollowed = followed <= min(residual - 6, StemFindings.Mastering.most)
            if isFollowed { after = .init(gain: fit.gain, residual: followed) }
        }
        return StemFindings(residual: residual, faults: faults, cut: cut, mastering: after)
    }

    private static func decibels(_ share: Double) -> Double { 10 * log10(max(share, 1e-15)) }
}

/// How much is left of a mix when the stems' sum follows its level, from block to block: what a limiter or a fader over the whole did.
private struct StemLevel {
    /// Samples of a block, of all channels: some 12 ms of stereo.
    private static let block = 1024
    private var count = 0
    private var (whole, sum, both) = (0.0, 0.0, 0.0)
    /// The energy that is left of the blocks so far.
    private(set) var left = 0.0

    mutating func add(_ mix: Double, _ stems: Double) {
        whole += mix * mix
        sum += stems * stems
        both += mix * stems
        count += 1
        guard count == Self.block else { return }
        left += max(0, whole - (both > 0 && sum > 0 ? both * both / sum : 0))
        (count, whole, sum, both) = (0, 0, 0, 0)
    }
}

/// How well stems make up their mix.
package struct StemFindings: Hashable, Sendable, Codable {
    /// What is wrong with a stem.
    package enum Trouble: Hashable, Sendable, Codable {
        /// It is later than in the mix by so many seconds; earlier when negative.
        case shifted(seconds: Double)
        /// It is louder than in the mix by so many decibels; softer when negative.
        case louder(decibels: Double)
        /// Nothing of it is in the mix: it is of another take, or of another track.
        case foreign
        /// It is upside down: it takes away what it should add.
        case inverted
    }

    package struct Fault: Hashable, Sendable, Codable {
        /// The stem's number, from 0.
        package let stem: Int
        package let trouble: Trouble

        package init(stem: Int, trouble: Trouble) { (self.stem, self.trouble) = (stem, trouble) }
    }

    /// What was done to the whole after mixing, as mastering does; it is nobody's fault.
    package struct Mastering: Hashable, Sendable, Codable {
        /// By how much the mix is louder than its stems together, in dB.
        package let gain: Double
        /// What is left when the stems' sum follows the level of the mix, as ``StemFindings/residual``.
        package let residual: Double

        /// Of more than this nobody can say that only the level was changed, in dB.
        static let most = -12.0

        package init(gain: Double, residual: Double) { (self.gain, self.residual) = (gain, residual) }
    }

    /// The energy of what is left, relative to the mix, in dB: -50 is inaudible, 0 as loud as the mix itself. Where the mix ends at full scale, what the
    /// sum has beyond it does not count.
    package let residual: Double
    /// Empty when the stems make up the mix, and when nobody knows why not: a stem that was not given, or a mix that was worked on afterwards.
    package let faults: [Fault]
    /// The share of the samples at which the mix was cut off at full scale, 0 to 1; nil in what was found before it was looked for.
    package let cut: Double?
    /// Nil where no level that is followed explains what is left.
    package let mastering: Mastering?

    /// Up to this nobody asks who is to blame, in dB.
    package static let good = -40.0

    package init(residual: Double, faults: [Fault], cut: Double? = nil, mastering: Mastering? = nil) {
        (self.residual, self.faults, self.cut, self.mastering) = (residual, faults, cut, mastering)
    }

    /// Whether they could be of so many stems: another process is not believed.
    package func isPossible(stems: Int) -> Bool {
        residual >= -160 && residual < 200 && faults.count <= stems
            && (0...1).contains(cut ?? 0)
            && (mastering.map { abs($0.gain) < 200 && (-160...0).contains($0.residual) } ?? true)
            && zip(faults, faults.dropFirst()).allSatisfy { $0.stem < $1.stem }
            && faults.allSatisfy { fault in
                guard (0..<stems).contains(fault.stem) else { return false }
                switch fault.trouble {
                case .shifted(let seconds): return abs(seconds) < 5
                case .louder(let decibels): return abs(decibels) < 200
                case .foreign, .inverted: return true
                }
            }
    }
}
