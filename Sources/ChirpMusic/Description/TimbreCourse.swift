internal import Glibc

/// The colour of a sound over time: mean and spread of 13 cepstral coefficients of its mel bands, and its brightness.
///
/// The level has no part in it, and what lies 40 dB below a moment's mean neither, so that a codec's low-pass changes little.
struct TimbreCourse: Sendable {
    /// Without the first, which is the level.
    static let coefficients = 13

    private let bands: Int
    /// A row of cosines for each coefficient.
    private let cosines: [Float]
    /// The middle of each band, as a logarithm of hertz.
    private let octaves: [Float]
    private var logs: [Float]
    private var sums: [Double]
    private var squares: [Double]
    private var brightnessSum = 0.0
    private var moments = 0.0

    /// - Parameter middles: of the bands, in hertz.
    init(middles: [Double]) {
        bands = middles.count
        let bands = middles.count
        cosines = (1...Self.coefficients).flatMap { (coefficient: Int) -> [Float] in
            let turn = Double.pi * Double(coefficient)
            return (0..<bands).map { (band: Int) -> Float in Float(cos(turn * (Double(band) + 0.5) / Double(bands))) }
        }
        octaves = middles.map { Float(log2($0)) }
        logs = Array(repeating: 0, count: bands)
        sums = Array(repeating: 0, count: Self.coefficients)
        squares = sums
    }

    /// Takes the energies of a moment's bands; silence says nothing.
    mutating func append(_ energies: [Float]) {
        var whole: Float = 0
        for energy in energies { whole += energy }
        guard whole > 1e-9 else { return }
        let floor = whole / Float(bands) * 1e-4
        var bright: Float = 0
        for band in 0..<bands {
            logs[band] = logf(energies[band] + floor)
            bright += energies[band] * octaves[band]
        }
        brightnessSum += Double(bright / whole)
        for coefficient in 0..<Self.coefficients {
            var sum: Float = 0
            for band in 0..<bands { sum += cosines[coefficient * bands + band] * logs[band] }
            let value = Double(sum) / Double(bands)
            sums[coefficient] += value
            squares[coefficient] += value * value
        }
        moments += 1
    }

    /// Whether there was anything but silence.
    var isHeard: Bool { moments > 0 }

    /// The mean frequency of all energy, over octaves, in hertz; 0 for silence.
    var brightness: Double { moments > 0 ? exp2(brightnessSum / moments) : 0 }

    /// 27 numbers.
    var numbers: [Double] {
        guard moments > 0 else { return Array(repeating: 0, count: 2 * Self.coefficients + 1) }
        let means = sums.map { $0 / moments }
        let spreads = zip(squares, means).map { max(0, $0 / moments - $1 * $1).squareRoot() }
        return means + spreads + [brightnessSum / moments]
    }
}
