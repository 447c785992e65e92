internal import Glibc

/// The Hann window at the middles of equal parts of its length: symmetric, and 0 at neither end.
///
/// Harris, "On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform" (1978), equation 27, moved by half a sample.
///
/// - Parameter count: how many values; at least 1.
/// - Returns: values from 0 to 1.
package func hannWindow(count: Int) -> [Double] {
    let length = Double(count)
    return (0..<count).map { (index: Int) -> Double in
        let turn: Double = 2 * Double.pi * (Double(index) + 0.5)
        return 0.5 - 0.5 * cos(turn / length)
    }
}
