public import ChirpAudio
public import ChirpClips
internal import ChirpCodecs

/// Making one clip of a batch, here, in a child or on another machine: the same order gives the same bytes everywhere.
public struct BatchMaking: Codable, Hashable, Sendable {
    /// With its source.
    public var order: ClipOrder
    public var keepsTags: Bool

    /// What it leaves beside the file.
    public struct Made: Codable, Hashable, Sendable {
        public var clip: BatchClip
        /// The recording says something about itself.
        public var hasTags: Bool

        public init(clip: BatchClip, hasTags: Bool) {
            self.clip = clip
            self.hasTags = hasTags
        }
    }

    public init(order: ClipOrder, keepsTags: Bool) {
        self.order = order
        self.keepsTags = keepsTags
    }

    /// Blocking.
    ///
    /// - Parameters:
    ///   - path: where the clip appears when it is whole.
    ///   - make: ``BatchClip/live(_:path:progress:)``, or a fake.
    public func run(
        to path: String,
        by make: (ClipOrder, String, @Sendable (ClipProgress) -> Void) throws(AudioError) -> BatchClip =
            BatchClip.live,
        progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
    ) throws(AudioError) -> Made {
        try run { order throws(AudioError) in try make(order, path, progress) }
    }

    /// The same, into a regular file that is open already. Blocking.
    package func run(into descriptor: Int32) throws(AudioError) -> Made {
        try run { order throws(AudioError) in try BatchClip.written(order, into: descriptor) }
    }

    private func run(_ make: (ClipOrder) throws(AudioError) -> BatchClip) throws(AudioError) -> Made {
        let tags = try AudioFile(opening: order.source.path, name: order.source.name).sourceTags
        var order = order
        let kept = keepsTags ? KeptTags(of: order.source) : KeptTags()
        order.tag = kept.filling(order.tag)
        var clip = try make(order)
        clip.receipt.notes += kept.notes
        return Made(clip: clip, hasTags: tags != ID3Tag())
    }
}
