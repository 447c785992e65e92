public import ChirpAudio

/// Makes the clip and checks it: render, decode the result again, measure, and lower it once if it is too hot.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks and then throws
/// ``AudioError/cancelled``; whatever is thrown, nothing is left behind.
/// - Returns: the receipt with input, trim, level, clip, timings and notes filled.
public func make(
    _ clip: PreparedClip, to destination: ClipDestination, progress: @Sendable (ClipProgress) -> Void
) throws(AudioError) -> Receipt {
    throw .unsupported(name: clip.order.source.name, reason: "clips cannot be made yet")
}
