/// Finds a voice, which is known, wherever it is heard in a recording: where the wave of one stretch is as good as its own.
struct VoiceSearch {
    private let voice: [Float]
    private let energies: [Double]

    /// Of the energy at a place, as an amplitude: music does not come so near.
    static let leastMatch: Float = 0.25
    /// Of a voice that the recording cuts off, so much must be left.
    private static let leastPart = 0.5

    init(_ voice: [Float]) {
        self.voice = voice
        energies = Self.sums(voice)
    }

    /// - Returns: where it begins, in samples, and how much of what is heard it is, 0 to 1; in the order of time.
    func places(in samples: [Float]) -> [(place: Double, match: Float)] {
        guard !voice.isEmpty, !samples.isEmpty else { return [] }
        let margin = voice.count / 2
        let padded = Array(repeating: 0, count: margin) + samples + Array(repeating: Float(0), count: margin)
        let matches = self.matches(in: padded)
        var found: [(place: Double, match: Float)] = []
        let candidates = matches.indices.dropFirst().dropLast().filter {
            matches[$0] >= Self.leastMatch && matches[$0] >= matches[$0 - 1] && matches[$0] > matches[$0 + 1]
        }
        // Nobody says it twice at once.
        for index in candidates.sorted(by: { matches[$0] > matches[$1] }) {
            guard found.allSatisfy({ abs($0.place - Double(index - margin)) > 0.8 * Double(voice.count) }) else {
                continue
            }
            let (a, b, c) = (matches[index - 1], matches[index], matches[index + 1])
            found.append((peak(a * a, b * b, c * c, at: index) - Double(margin), b))
        }
        return found.sorted { $0.place < $1.place }
    }

    private func matches(in samples: [Float]) -> [Float] {
        let places = samples.count - voice.count + 1
        guard places > 0 else { return [] }
        var size = 16384
        while size < 4 * voice.count { size *= 2 }
        var transform = RealTransform(size: size)
        var filter = [Complex](repeating: Complex(), count: transform.bins)
        transform.transform(voice + Array(repeating: 0, count: size - voice.count), into: &filter)
        let sums = Self.sums(samples)
        let whole = energies[voice.count]
        var result = [Float](repeating: 0, count: places)
        var piece = [Float](repeating: 0, count: size)
        var spectrum = filter
        let margin = voice.count / 2
        var done = 0
        while done < places {
            for index in 0..<size { piece[index] = done + index < samples.count ? samples[done + index] : 0 }
            transform.transform(piece, into: &spectrum)
            for index in spectrum.indices {
                let (x, y) = (spectrum[index], filter[index])
                spectrum[index] = Complex(x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im)
            }
            transform.invert(spectrum, into: &piece)
            let end = min(places, done + size - voice.count + 1)
            for place in done..<end {
                // What of the voice lies within the recording.
                let from = max(0, margin - place)
                let to = min(voice.count, samples.count - margin - place)
                guard to > from else { continue }
                let part = energies[to] - energies[from]
                let local = sums[place + voice.count] - sums[place]
                guard part >= Self.leastPart * whole, local > 1e-7 * Double(to - from) else { continue }
                result[place] = min(1, abs(piece[place - done]) / Float((part * local).squareRoot()))
            }
            done = end
        }
        return result
    }

    private static func sums(_ samples: [Float]) -> [Double] {
        var sum = 0.0
        return [0]
            + samples.map {
                sum += Double($0 * $0)
                return sum
            }
    }
}
