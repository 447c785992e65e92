internal import Glibc

/// A tone that glides through a band at a constant speed.
///
/// A steady tone is found to a tenth of a second in a room that echoes, or not at all where its echoes cancel it; a glide through 2 kHz has
/// one instant at which it fits, to less than a millisecond, whatever else sounds.
package struct Sweep: Hashable, Sendable {
    /// In hertz, where it begins and ends.
    package let from: Double
    package let to: Double
    /// In seconds.
    package let length: Double
    /// Where in the band it begins, 0..<1; having reached the end it goes on from the beginning.
    package let turn: Double

    package init(from: Double, to: Double, length: Double, turn: Double = 0) {
        precondition(length > 0 && (0..<1).contains(turn))
        self.from = from
        self.to = to
        self.length = length
        self.turn = turn
    }

    /// How long it takes to come and go, so that it does not click; so it does where it begins again.
    package static let edge = 0.008

    /// Its wave, of amplitude 1.
    ///
    /// - Parameters:
    ///   - rate: samples a second; need not be whole.
    ///   - quarter: a quarter of a period later, at each frequency.
    package func samples(rate: Double, quarter: Bool = false) -> [Float] {
        (0..<Int((length * rate).rounded())).map { value(at: Double($0) / rate, quarter: quarter) }
    }

    /// The wave at an instant, in seconds from its beginning; 0 before and behind it.
    func value(at time: Double, quarter: Bool = false) -> Float {
        let jump = (1 - turn) * length
        let border = max(0, min(time, length - time, turn > 0 ? abs(time - jump) : length))
        let shape = border >= Self.edge ? 1 : 0.5 - 0.5 * cos(.pi * border / Self.edge)
        return Float(shape * sin(phase(at: time) + (quarter ? .pi / 2 : 0)))
    }

    /// In radians.
    private func phase(at time: Double) -> Double {
        let slope = (to - from) / length
        let jump = (1 - turn) * length
        func glide(_ start: Double, _ time: Double) -> Double { 2 * .pi * (start * time + slope * time * time / 2) }
        let begin = from + turn * (to - from)
        return time < jump ? glide(begin, time) : glide(begin, jump) + glide(from, time - jump)
    }
}
