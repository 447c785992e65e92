internal import ChirpAudio
internal import Glibc

/// A signal at another rate, by a sinc under a window.
///
/// - Parameters:
///   - ratio: samples that come out for each that goes in; 0.9 to 8.
package func resampled(_ samples: [Float], ratio: Double) -> [Float] {
    let reach = 16
    let steps = 256
    // The weights of the samples around a place, for 256 places between two samples.
    let corner = min(1, ratio) * 0.97
    let kernels = (0...steps).map { step in
        (0..<(2 * reach)).map { tap -> Float in
            let place = Double(step) / Double(steps) + Double(tap - reach)
            let window = 0.5 + 0.5 * cos(.pi * place / Double(reach))
            let angle = Double.pi * place * corner
            return Float(window * (place == 0 ? corner : corner * sin(angle) / angle))
        }
    }
    let silence = [Float](repeating: 0, count: reach)
    let padded = silence + samples + silence
    var result: [Float] = []
    result.reserveCapacity(Int(Double(samples.count) * ratio))
    for index in 0..<Int((Double(samples.count) * ratio).rounded(.down)) {
        let place = Double(index) / ratio
        let whole = Int(place)
        // The sample that lies t behind the place has the kernel's value at t.
        let step = Int(((1 - (place - Double(whole))) * Double(steps)).rounded())
        let around = padded.span.extracting((whole + 1)..<(whole + 1 + 2 * reach))
        let kernel = kernels[step]
        result.append(product(of: around, and: kernel.span))
    }
    return result
}
