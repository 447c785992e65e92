internal import ChirpAudio

/// The power of a signal's frequencies, moment by moment, of a signal that comes in blocks: what ``ShortTimeSpectrum`` is for a whole one.
///
/// The middle of each window is a whole number of hops from the first sample; what lies before and behind the signal is silence. What is given does
/// not depend on how the signal is cut into blocks.
struct SpectrumStream: ~Copyable {
    /// Samples from one window to the next.
    let hop: Int
    private let shape: [Float]
    private var transform: RealTransform
    /// What is not passed yet; the next window begins at `start`.
    private var pending: [Float]
    private var start = 0
    private var samples: [Float]
    private var spectrum: [Complex]
    /// Of each frequency of the window that was given last; that of a sine of amplitude 1 is 1.
    private(set) var power: [Float]
    /// Of the next window.
    private var frame = 0
    private var received = 0
    /// Windows there are; known when the signal has ended.
    private var end = Int.max

    /// - Parameters:
    ///   - window: in samples; rounded up to a size that is quick to transform.
    ///   - hop: at least 1 and at most the window.
    init(window: Int, hop: Int) {
        let size = RealTransform.quickSize(atLeast: window)
        precondition(hop >= 1 && hop <= size)
        self.hop = hop
        transform = RealTransform(size: size)
        // A sine of amplitude 1 has a power of 1.
        let scale = 4 / Double(size)
        shape = hannWindow(count: size).map { Float(scale * $0) }
        pending = Array(repeating: 0, count: size / 2)
        samples = Array(repeating: 0, count: size)
        spectrum = Array(repeating: Complex(), count: transform.bins)
        power = Array(repeating: 0, count: transform.bins)
    }

    /// Frequencies, from DC to half the rate.
    var bins: Int { transform.bins }
    var window: Int { transform.size }

    /// - Parameter block: finite samples.
    mutating func append(_ block: [Float]) {
        pending.removeFirst(start)
        start = 0
        received += block.count
        pending += block
    }

    /// Says that the signal has ended: what remains are windows whose middle lies within the signal but whose end does not.
    mutating func finish() {
        pending.append(contentsOf: repeatElement(0, count: window))
        end = received == 0 ? 0 : (received - 1) / hop + 1
    }

    /// Fills ``power`` with the next window's.
    ///
    /// - Returns: the window's number and whether it lies within the signal; nil when more samples are needed.
    mutating func next() -> (frame: Int, isWhole: Bool)? {
        guard pending.count - start >= window, frame < end else { return nil }
        for index in samples.indices { samples[index] = pending[start + index] * shape[index] }
        transform.transform(samples, into: &spectrum)
        for bin in spectrum.indices { power[bin] = spectrum[bin].power }
        let middle = frame * hop
        let result = (frame, middle >= window / 2 && (end == .max || middle + window / 2 <= received))
        frame += 1
        start += hop
        return result
    }
}

extension RealTransform {
    /// The least even size from a number on that has no prime factors but 2, 3 and 5.
    static func quickSize(atLeast number: Int) -> Int {
        var size = max(2, number + number % 2)
        while true {
            var rest = size
            for factor in [2, 3, 5] { while rest.isMultiple(of: factor) { rest /= factor } }
            if rest == 1 { return size }
            size += 2
        }
    }
}
