internal import ChirpAudio

/// The power of a signal's frequencies, moment by moment: a Hann window that goes on by a hop.
package struct ShortTimeSpectrum: ~Copyable {
    /// Samples under the window, and from one to the next.
    package let window: Int
    package let hop: Int
    private let shape: [Float]
    private var transform: RealTransform
    private var samples: [Float]
    private var spectrum: [Complex]
    private var power: [Float]

    /// - Parameters:
    ///   - window: even.
    ///   - hop: at least 1.
    package init(window: Int, hop: Int) {
        precondition(hop >= 1)
        self.window = window
        self.hop = hop
        transform = RealTransform(size: window)
        shape = hannWindow(count: window).map { Float($0) }
        samples = Array(repeating: 0, count: window)
        spectrum = Array(repeating: Complex(), count: transform.bins)
        power = Array(repeating: 0, count: transform.bins)
    }

    /// Frequencies, from DC to half the rate.
    package var bins: Int { transform.bins }

    /// Windows that a signal of so many samples has. The middle of each is a whole number of hops from the first sample.
    package func frames(of count: Int) -> Int { count == 0 ? 0 : (count - 1) / hop + 1 }

    /// Gives the power of each frequency of one window after the other; what lies before and behind the signal is silence.
    package mutating func forEachFrame(
        of signal: borrowing Span<Float>, _ body: (_ frame: Int, _ power: borrowing Span<Float>) -> Void
    ) {
        for frame in 0..<frames(of: signal.count) {
            fill(from: signal, at: frame * hop - window / 2)
            transform.transform(samples, into: &spectrum)
            for bin in spectrum.indices { power[bin] = spectrum[bin].power }
            body(frame, power.span)
        }
    }

    private mutating func fill(from signal: borrowing Span<Float>, at start: Int) {
        let inside = max(0, -start)..<max(max(0, -start), min(window, signal.count - start))
        for index in 0..<inside.lowerBound { samples[index] = 0 }
        for index in inside { samples[index] = finite(signal[start + index]) * shape[index] }
        for index in inside.upperBound..<window { samples[index] = 0 }
    }
}

/// A sample that can be computed with: strangers' recordings hold infinities and what is no number.
@inline(__always)
func finite(_ sample: Float) -> Float { abs(sample) < 1e6 ? sample : 0 }
