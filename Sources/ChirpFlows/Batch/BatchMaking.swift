package import ChirpAudio
package import ChirpClips
internal import ChirpCodecs

/// Making one clip of a batch, here or on another machine: the same order gives the same bytes on both.
package struct BatchMaking: Sendable {
    /// With its source.
    package var order: ClipOrder
    package var keepsTags: Bool

    package init(order: ClipOrder, keepsTags: Bool) {
        self.order = order
        self.keepsTags = keepsTags
    }

    /// Blocking.
    ///
    /// - Parameters:
    ///   - path: where the clip appears when it is whole.
    ///   - make: ``BatchClip/live(_:path:progress:)``, or a fake.
    /// - Returns: the clip, and whether the recording says something about itself.
    package func run(
        to path: String,
        by make: (ClipOrder, String, @Sendable (ClipProgress) -> Void) throws(AudioError) -> BatchClip,
        progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
    ) throws(AudioError) -> (clip: BatchClip, hasTags: Bool) {
        let tags = try AudioFile(opening: order.source.path, name: order.source.name).sourceTags
        var order = order
        let kept = keepsTags ? KeptTags(of: order.source) : KeptTags()
        order.tag = kept.filling(order.tag)
        var clip = try make(order, path, progress)
        clip.receipt.notes += kept.notes
        return (clip, tags != ID3Tag())
    }
}
