/// The largest magnitude among samples that are all finite; 0 for none.
///
/// Eight running maxima with plain comparisons: the rules of `max` for NaN keep the compiler from using vectors, which
/// measured seven times slower.
public func peak(of samples: borrowing Span<Float>) -> Float {
    var lanes = SIMD8<Float>.zero
    let bytes = samples.bytes
    let whole = samples.count & ~7
    var index = 0
    while index < whole {
        let block = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
        let magnitude = block.replacing(with: -block, where: block .< 0)
        lanes = lanes.replacing(with: magnitude, where: magnitude .> lanes)
        index += 8
    }
    var highest = largest(of: lanes)
    while index < samples.count {
        let magnitude = abs(samples[index])
        if magnitude > highest { highest = magnitude }
        index += 1
    }
    return highest
}
