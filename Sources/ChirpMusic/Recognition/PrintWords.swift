internal import Glibc

/// The answers of a ``RecordingPrint``, twice as many as it keeps, and which of them are the least certain.
struct PrintWords {
    /// Under the window: three quarters of a second, so that a cut anywhere in a step changes little.
    private static let window = 8192
    private static let hop = 689
    /// Seconds from one word to the next: 62.5 ms.
    static let step = Double(hop) / Double(RecordingPrint.rate)
    /// Hops over which a band gains: 0.75 s.
    private static let distance = 12
    /// 33 bands of equal width in octaves, in hertz: what every coding keeps.
    private static let (lowest, highest) = (250.0, 3000.0)
    private static let bands = 33
    /// What is 60 dB below the loudest is silence.
    private static let silence: Float = 1e-6
    /// Answers of each word that a coding changes first.
    static let weakest = 3

    /// One for each hop; 0 where there is nothing to hear.
    private(set) var words: [UInt32] = []
    /// The least certain answers of each word.
    private(set) var weak: [UInt32] = []

    /// - Parameter samples: one channel at ``RecordingPrint/rate``.
    init(of samples: borrowing Span<Float>) {
        var spectrum = ShortTimeSpectrum(window: Self.window, hop: Self.hop)
        let edges = Self.edges
        // Windows that are not full would depend on where the recording was cut.
        let whole = (Self.window / 2 + Self.hop - 1) / Self.hop
        let count = samples.count
        var (amplitudes, powers) = ([Float](), [Float]())
        spectrum.forEachFrame(of: samples) { frame, power in
            guard frame >= whole, frame * Self.hop + Self.window / 2 <= count else { return }
            var sum: Float = 0
            for band in 0..<Self.bands {
                let energy = Self.energy(power, from: edges[band], to: edges[band + 1])
                sum += energy
                amplitudes.append(energy.squareRoot())
            }
            powers.append(sum)
        }
        let floor = (powers.max() ?? 0) * Self.silence
        guard powers.count > Self.distance, floor > 0 else { return }
        for frame in Self.distance..<powers.count {
            let isSilent = powers[frame] <= floor && powers[frame - Self.distance] <= floor
            append(amplitudes.span, frame: frame, isSilent: isSilent)
        }
    }

    private mutating func append(_ amplitudes: borrowing Span<Float>, frame: Int, isSilent: Bool) {
        guard !isSilent else {
            words.append(0)
            weak.append(0)
            return
        }
        let (now, before) = (frame * Self.bands, (frame - Self.distance) * Self.bands)
        var word: UInt32 = 0
        var least = [(Float, UInt32)](repeating: (.infinity, 0), count: Self.weakest)
        for band in 0..<Self.bands - 1 {
            let gain =
                (amplitudes[now + band] - amplitudes[now + band + 1])
                - (amplitudes[before + band] - amplitudes[before + band + 1])
            let bit: UInt32 = 1 << UInt32(band)
            if gain > 0 { word |= bit }
            var place = least.count
            while place > 0, abs(gain) < least[place - 1].0 { place -= 1 }
            if place < least.count {
                least.removeLast()
                least.insert((abs(gain), bit), at: place)
            }
        }
        words.append(word)
        weak.append(least.reduce(0) { $0 | $1.1 })
    }

    /// Borders of the bands, in bins.
    private static var edges: [Float] {
        let width = Double(RecordingPrint.rate) / Double(window)
        return (0...bands).map { Float(lowest * pow(highest / lowest, Double($0) / Double(bands)) / width) }
    }

    /// The power between two places of a spectrum; a bin counts by the part of it that lies between.
    private static func energy(_ power: borrowing Span<Float>, from low: Float, to high: Float) -> Float {
        var energy: Float = 0
        for bin in Int(low)...Int(high) {
            let part = min(high, Float(bin + 1)) - max(low, Float(bin))
            energy += part * power[bin]
        }
        return energy
    }
}
