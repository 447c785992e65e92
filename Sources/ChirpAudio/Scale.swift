/// Multiplies every sample.
///
/// - Parameter gain: the factor, see ``Decibels/amplitude``.
public func scale(_ samples: inout MutableSpan<Float>, by gain: Float) {
    for index in samples.indices { samples[index] *= gain }
}
