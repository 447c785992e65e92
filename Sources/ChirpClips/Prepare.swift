public import ChirpAudio

/// Reads a recording once and decides what its clip will be, exact size included; nothing is encoded.
///
/// Blocking: run it through `offPool`. Looks at `Task.isCancelled` between blocks.
/// - Throws: ``AudioError``, in particular `nothingToHear` for silence and `settings` when no rate fits
///   ``ClipOrder/maximumBytes``.
public func prepare(
    _ order: ClipOrder, progress: @Sendable (ClipProgress) -> Void
) throws(AudioError) -> PreparedClip {
    throw .unsupported(name: order.source.name, reason: "clips cannot be prepared yet")
}
