public import ChirpAudio
public import ChirpClips
internal import ChirpCodecs
internal import ChirpMP3

/// Making one clip of a batch, here, in a child or on another machine: the same request gives the same bytes everywhere.
public struct Transcoding: Codable, Hashable, Sendable {
    /// With its source.
    public var request: ClipRequest
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

    public init(request: ClipRequest, keepsTags: Bool) {
        self.request = request
        self.keepsTags = keepsTags
    }

    /// Blocking.
    ///
    /// - Parameters:
    ///   - path: where the clip appears when it is whole.
    ///   - make: ``BatchClip/live(_:path:progress:)``, or a fake.
    public func run(
        to path: String,
        by make: (ClipRequest, String, @Sendable (ClipProgress) -> Void) throws(AudioError) -> BatchClip =
            BatchClip.live,
        progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
    ) throws(AudioError) -> Made {
        try run { request throws(AudioError) in try make(request, path, progress) }
    }

    /// The same, into a regular file that is open already. Blocking.
    package func run(into descriptor: Int32) throws(AudioError) -> Made {
        try run { request throws(AudioError) in try BatchClip.written(request, into: descriptor) }
    }

    private func run(_ make: (ClipRequest) throws(AudioError) -> BatchClip) throws(AudioError) -> Made {
        let tags = try AudioFile(opening: request.source.path, name: request.source.name).sourceTags
        var request = request
        let kept = keepsTags ? KeptTags(of: request.source) : KeptTags()
        request.tag = kept.filling(request.tag)
        var clip = try make(request)
        clip.receipt.notes += kept.notes
        return Made(clip: clip, hasTags: tags != ID3Tag())
    }
}
