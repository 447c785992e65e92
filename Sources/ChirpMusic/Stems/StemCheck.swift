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
    private var mono: [[Float]] = []

    /// - Parameters:
    ///   - stems: 1 to ``mostStems``.
    ///   - rate: of mix and stems, in hertz.
    package init(stems: Int, rate: Int) {
        precondition((1...Self.mostStems).contains(stems) && rate > 0)
        self.stems = stems
        self.rate = rate
        correlations = StemCorrelations(signals: stems + 1)
    }

    /// - Parameters:
    ///   - mix: a piece of each channel.
    ///   - stems: the same pieces of each stem, with as many channels and samples.
    package mutating func add(mix: [[Float]], stems pieces: [[[Float]]]) {
        precondition(pieces.count == stems && pieces.allSatisfy { $0.count == mix.count })
        let frames = mix.first?.count ?? 0
        for channel in mix.indices {
            for index in 0..<frames {
                let whole = Double(finite(mix[channel][index]))
                var left = whole
                for stem in pieces { left -= Double(finite(stem[channel][index])) }
                mixEnergy += whole * whole
                residualEnergy += left * left
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
        let residual = 10 * log10(max(residualEnergy / mixEnergy, 1e-15))
        var faults: [StemFindings.Fault] = []
        if residual > StemFindings.good {
            var fit = StemFit(&correlations, stems: stems)
            faults = fit.faults(rate: rate)
        }
        return StemFindings(residual: residual, faults: faults)
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

    /// The energy of what is left, relative to the mix, in dB: -50 is inaudible, 0 as loud as the mix itself.
    package let residual: Double
    /// Empty when the stems make up the mix, and when nobody knows why not: a stem that was not given, or a mix that was limited.
    package let faults: [Fault]

    /// Up to this nobody asks who is to blame, in dB.
    package static let good = -40.0

    package init(residual: Double, faults: [Fault]) { (self.residual, self.faults) = (residual, faults) }

    /// Whether they could be of so many stems: another process is not believed.
    package func isPossible(stems: Int) -> Bool {
        residual >= -160 && residual < 200 && faults.count <= stems
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
