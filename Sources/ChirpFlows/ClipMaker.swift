public import ChirpAudio
public import ChirpClips
public import ChirpCore

/// What a publication needs of a clip that is not made yet: how large it will be, what is known of it, and how to make it.
///
/// There are three: one that carries out a ``ClipPlan``, one that takes the clip which was encoded beside its recording, and fakes.
public struct ClipMaker: Sendable {
    /// Exact for constant rates, an upper bound otherwise.
    public var predictedBytes: ByteCount
    /// What a receipt can tell before anything is encoded.
    public var preview: Receipt
    /// Makes and checks the clip; the file appears whole or not at all.
    public var make: @Sendable (_ path: String, _ progress: @escaping Progress) async throws(AudioError) -> Receipt

    /// Is told how far analysis or rendering has come.
    public typealias Progress = @Sendable (ClipProgress) -> Void

    public init(
        predictedBytes: ByteCount, preview: Receipt,
        make: @escaping @Sendable (_ path: String, _ progress: @escaping Progress) async throws(AudioError) -> Receipt
    ) {
        self.predictedBytes = predictedBytes
        self.preview = preview
        self.make = make
    }

    /// Plans with the real audio path, off the cooperative pool.
    @Sendable
    public static func live(
        _ request: ClipRequest, progress: @escaping Progress
    ) async throws(AudioError) -> ClipMaker { try await live(request, outline: nil, progress: progress) }

    /// The same, for somebody who draws the clip: `outline` is told once the clip is made; not when it is not checked.
    public static func live(
        _ request: ClipRequest, outline: (@Sendable (ClipOutline) -> Void)?, progress: @escaping Progress
    ) async throws(AudioError) -> ClipMaker {
        let plan = try await offPool { () throws(AudioError) in try prepare(request, progress: progress) }
        return ClipMaker(predictedBytes: plan.predictedBytes, preview: plan.preview) {
            (path, progress) async throws(AudioError) in
            try await offPool { () throws(AudioError) in
                try ChirpClips.make(plan, to: .file(path), outline: outline, progress: progress)
            }
        }
    }
}
