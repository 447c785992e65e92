/// The largest magnitude among samples that are all finite; 0 for none.
///
/// Sixteen running maxima and minima with plain comparisons: the rules of `max` for NaN keep the compiler from using vectors,
/// which measured seven times slower, and magnitudes cost more than a second comparison.
public func peak(of samples: borrowing Span<Float>) -> Float {
    var highest = SIMD16<Float>.zero
    var lowest = SIMD16<Float>.zero
    let bytes = samples.bytes
    let whole = samples.count & ~15
    var index = 0
    while index < whole {
        let block = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
        highest.replace(with: block, where: block .> highest)
        lowest.replace(with: block, where: block .< lowest)
        index += 16
    }
    lowest = -lowest
    highest.replace(with: lowest, where: lowest .> highest)
    let (first, second) = (highest.lowHalf, highest.highHalf)
    var result = largest(of: first.replacing(with: second, where: second .> first))
    while index < samples.count {
        let magnitude = abs(samples[index])
        if magnitude > result { result = magnitude }
        index += 1
    }
    return result
}

/// The largest lane. The library's own `max()` is a call that is not specialised and showed in profiles.
@inline(__always)
func largest(of lanes: SIMD8<Float>) -> Float {
    var result = lanes[0]
    for lane in 1..<8 where lanes[lane] > result { result = lanes[lane] }
    return result
}
