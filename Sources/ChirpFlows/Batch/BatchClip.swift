public import ChirpAudio
public import ChirpClips

/// A clip that was made for a batch.
public struct BatchClip: Codable, Hashable, Sendable {
    public var receipt: Receipt
    /// Its size when no limit has lowered its rate.
    public var unlimitedBytes: Int64?

    public init(receipt: Receipt, unlimitedBytes: Int64?) {
        self.receipt = receipt
        self.unlimitedBytes = unlimitedBytes
    }

    /// Makes it with the audio path of every command. Blocking.
    @Sendable public static func live(
        _ request: ClipRequest, path: String, progress: @Sendable (ClipProgress) -> Void
    ) throws(AudioError) -> BatchClip {
        try clip(request, to: .file(path), progress: progress)
    }

    /// The same, but whoever moves the clip to its place flushes it to the disk.
    @Sendable public static func draft(
        _ request: ClipRequest, path: String, progress: @Sendable (ClipProgress) -> Void
    ) throws(AudioError) -> BatchClip {
        try clip(request, to: .draft(path), progress: progress)
    }

    /// The same, into a regular file that is open already and belongs to the caller.
    static func written(_ request: ClipRequest, into descriptor: Int32) throws(AudioError) -> BatchClip {
        try clip(request, to: .open(descriptor)) { _ in }
    }

    private static func clip(
        _ request: ClipRequest, to destination: ClipDestination, progress: @Sendable (ClipProgress) -> Void
    ) throws(AudioError) -> BatchClip {
        let plan = try prepare(request, progress: progress)
        let receipt = try make(plan, to: destination, progress: progress)
        return BatchClip(
            receipt: receipt, unlimitedBytes: plan.settings == request.settings ? receipt.clip?.bytes : nil)
    }
}
