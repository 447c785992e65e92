package import ChirpTestKit
internal import ChirpMusic
internal import Glibc

/// What a room does to a sound: the direct way, some walls, and a tail of noise that fades.
package struct Room: Sendable {
    private let response: [Float]

    /// - Parameters:
    ///   - fading: how long until 60 dB are gone, in seconds.
    ///   - direct: by how many decibels the direct way is stronger than all that follows.
    package init(fading: Double, direct: Double, rate: Int, using random: inout SeededGenerator) {
        var tail = [Float](repeating: 0, count: max(1, Int(fading * 0.9 * Double(rate))))
        let noise = whiteNoise(tail.count, using: &random)
        for index in Int(0.003 * Double(rate))..<max(Int(0.003 * Double(rate)), tail.count) {
            let time = Double(index) / Double(rate)
            // The tail takes some 20 ms to become dense.
            tail[index] = noise[index] * Float(pow(10, -3 * time / fading) * min(1, time / 0.02) * 0.05)
        }
        for _ in 0..<8 {
            let time = Double.random(in: 0.002...0.04, using: &random)
            let index = Int(time * Double(rate))
            guard index < tail.count else { continue }
            let sign: Float = Bool.random(using: &random) ? 1 : -1
            tail[index] += sign * Float(0.3 * pow(10, -3 * time / fading) / (1 + 40 * time))
        }
        let energy = tail.reduce(0.0) { $0 + Double($1) * Double($1) }
        let scale = energy > 0 ? Float((pow(10, -direct / 10) / energy).squareRoot()) : 0
        tail = tail.map { $0 * scale }
        tail[0] = 1
        response = tail
    }

    /// The sound in the room, as long as before; the direct way is neither later nor softer.
    package func heard(_ samples: [Float]) -> [Float] {
        var size = 4096
        while size < 2 * response.count { size *= 2 }
        var transform = RealTransform(size: size)
        var own = [Complex](repeating: Complex(), count: transform.bins)
        transform.transform(response + Array(repeating: 0, count: size - response.count), into: &own)
        var spectrum = own
        var piece = [Float](repeating: 0, count: size)
        var result = [Float](repeating: 0, count: samples.count)
        let step = size - response.count + 1
        for start in stride(from: 0, to: samples.count, by: step) {
            for index in 0..<size {
                piece[index] = index < step && start + index < samples.count ? samples[start + index] : 0
            }
            transform.transform(piece, into: &spectrum)
            for bin in spectrum.indices {
                let (a, b) = (spectrum[bin], own[bin])
                spectrum[bin] = Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
            }
            transform.invert(spectrum, into: &piece)
            for index in 0..<min(size, samples.count - start) { result[start + index] += piece[index] }
        }
        return result
    }
}
