internal import Glibc

/// Fades out along a quarter of a cosine, which keeps the power falling evenly to the ear and ends in exact silence.
///
/// - Parameters:
///   - samples: a run of one channel.
///   - position: where in the fade its first sample lies, in frames; the fade begins at 0. Samples before it are kept.
///   - length: the length of the whole fade in frames, 1 or more; samples from there on become 0.
public func fadeOut(_ samples: inout MutableSpan<Float>, position: Int, length: Int) {
    precondition(length > 0)
    let first = max(0, -position)
    guard first < samples.count else { return }
    for index in first..<samples.count {
        let progress = Float(position + index + 1) / Float(length)
        samples[index] *= progress < 1 ? cosf(progress * (.pi / 2)) : 0
    }
}

/// Multiplies every sample.
///
/// - Parameter gain: the factor, see ``Decibels/amplitude``.
public func scale(_ samples: inout MutableSpan<Float>, by gain: Float) {
    for index in samples.indices { samples[index] *= gain }
}
