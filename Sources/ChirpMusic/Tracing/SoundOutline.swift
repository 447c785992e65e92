internal import ChirpAudio
internal import Glibc

/// How the level of some bands of a recording changes with time: enough to find where a piece of it comes from, whatever has coded it since.
struct SoundOutline {
    /// Samples from one column to the next: 16 ms.
    static let hop = 128
    private static let window = 512
    private static let edges: [Double] = [100, 160, 240, 340, 470, 630, 840, 1100, 1450, 1900, 2500, 3300]

    /// Of each band its columns.
    private(set) var bands: [[Float]]
    var columns: Int { bands[0].count }

    /// - Parameter samples: at ``TaggedLeak/rate``.
    init(of samples: [Float]) {
        var transform = RealTransform(size: Self.window)
        let shape = hannWindow(count: Self.window).map { Float($0) }
        let bins = Self.edges.map { Int($0 * Double(Self.window) / Double(TaggedLeak.rate)) }
        let count = max(0, (samples.count - Self.window) / Self.hop + 1)
        var levels = [[Float]](repeating: [], count: bins.count - 1)
        var piece = [Float](repeating: 0, count: Self.window)
        var spectrum = [Complex](repeating: Complex(), count: transform.bins)
        for column in 0..<count {
            for index in piece.indices { piece[index] = samples[column * Self.hop + index] * shape[index] }
            transform.transform(piece, into: &spectrum)
            for band in levels.indices {
                let power = spectrum[bins[band]..<bins[band + 1]].reduce(Float(1e-5)) { $0 + $1.power }
                levels[band].append(log10f(power))
            }
        }
        // Against what was 64 ms ago, and no more than 10 dB: no gain matters, and no single blow.
        bands = levels.map { levels in
            levels.indices.map { $0 < 4 ? 0 : max(-1, min(1, levels[$0] - levels[$0 - 4])) }
        }
    }

    /// The same played at another speed: what happened at `t` happens at `t * factor`.
    func stretched(by factor: Double) -> SoundOutline {
        var result = self
        let count = Int(Double(columns) * factor)
        result.bands = bands.map { band in
            (0..<count).map { column in
                let place = Double(column) / factor
                let index = Int(place)
                guard index + 1 < band.count else { return band.last ?? 0 }
                let part = Float(place - Double(index))
                return band[index] * (1 - part) + band[index + 1] * part
            }
        }
        return result
    }

    /// The energy of all columns before each, and of all of them.
    var energies: [Double] {
        var sum = 0.0
        return [0]
            + (0..<columns).map { column in
                for band in bands { sum += Double(band[column] * band[column]) }
                return sum
            }
    }
}
