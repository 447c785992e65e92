/// What a device plays so that an attempt can be timed from its recording: three short tones a second apart and a longer one, with which
/// the attempt begins; then the attempt's code, and a closing tone. And the tone with which it ends.
///
/// All are glides between 1.2 and 3.2 kHz: small loudspeakers play it, telephones and codecs for speech keep it, and a recording of 8 kHz
/// holds it. A page that plays it while it records must switch off echo cancellation and noise suppression: those remove it.
package enum StartSignal {
    /// Hertz.
    package static let lowest = 1200.0
    package static let highest = 3200.0

    /// Rising. Where the short ones begin, in seconds from the first.
    package static let short = Sweep(from: lowest, to: highest, length: 0.15)
    package static let shortOffsets = [0.0, 1, 2]

    /// Rising; the attempt starts where it begins.
    package static let long = Sweep(from: lowest, to: highest, length: 0.5)
    package static let longOffset = 3.0

    /// A digit is a rising glide that begins so many tenths up the band and goes on from its foot: any two are orthogonal. Five of them, the
    /// last is the check digit.
    package static func digit(_ value: Int) -> Sweep {
        Sweep(from: lowest, to: highest, length: 0.2, turn: Double(value) / 10)
    }
    package static let digitOffsets = (0..<5).map { 3.75 + 0.25 * Double($0) }

    /// One more short tone behind the code. From the first to this it is 5.25 s by the clock of the device that plays.
    package static let closingOffset = 5.25

    /// Falling; the attempt stops where it begins.
    package static let stop = Sweep(from: highest, to: lowest, length: 0.5)

    /// In seconds.
    package static let length = closingOffset + 0.15

    /// Lowest rate of samples that holds the tones, in hertz.
    package static let leastRate = 8000
    /// Highest rate that is searched; no recording has more.
    package static let mostRate = 384_000

    /// Of the peak; half of full scale leaves small loudspeakers room.
    package static let amplitude: Float = 0.5

    /// The start signal.
    ///
    /// - Parameter rate: in hertz, at least ``leastRate``.
    package static func samples(code: AttemptCode, rate: Int) -> [Float] {
        precondition(rate >= leastRate)
        var result = [Float](repeating: 0, count: Int((length * Double(rate)).rounded()) + 1)
        for (offset, sweep) in tones(of: code) {
            // Between two samples where need be: the distances tell the clock.
            for index in Int(offset * Double(rate))...Int((offset + sweep.length) * Double(rate)) {
                result[index] += amplitude * sweep.value(at: Double(index) / Double(rate) - offset)
            }
        }
        return result
    }

    /// The stop tone.
    package static func stopSamples(rate: Int) -> [Float] {
        precondition(rate >= leastRate)
        return stop.samples(rate: Double(rate)).map { amplitude * $0 }
    }

    /// Every tone of it and where it begins.
    static func tones(of code: AttemptCode) -> [(offset: Double, sweep: Sweep)] {
        var tones = (shortOffsets + [closingOffset]).map { (offset: $0, sweep: short) }
        tones.append((longOffset, long))
        tones += zip(digitOffsets, code.symbols).map { (offset: $0, sweep: digit($1)) }
        return tones
    }
}
