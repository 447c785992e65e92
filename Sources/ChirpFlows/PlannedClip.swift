public import ChirpAudio
public import ChirpClips
internal import ChirpCodecs
public import ChirpCore
internal import ChirpMP3

/// A clip that is decided but not made, as the flows see it: how large it will be, what is known of it, and how to make it.
public struct PlannedClip: Sendable {
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
    ) async throws(AudioError) -> PlannedClip {
        let prepared = try await offPool { () throws(AudioError) in try prepare(request, progress: progress) }
        return PlannedClip(predictedBytes: prepared.predictedBytes, preview: preview(of: prepared)) {
            (path, progress) async throws(AudioError) in
            try await offPool { () throws(AudioError) in
                try ChirpClips.make(prepared, to: .file(path), progress: progress)
            }
        }
    }

    private static func preview(of prepared: PreparedClip) -> Receipt {
        let bytes = prepared.predictedBytes.bytes
        let kbps: Int
        switch prepared.settings.rate {
        case .constant(let rate), .average(let rate): kbps = rate
        case .variable: kbps = prepared.seconds > 0 ? Int((Double(bytes) * 8 / 1000 / prepared.seconds).rounded()) : 0
        }
        var receipt = Receipt(
            input: prepared.input, trim: Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: false),
            level: Receipt.Level(method: .none, gainDB: 0, limitedDB: 0),
            clip: Receipt.Clip(
                bytes: bytes, predictedBytes: bytes, sha256: "", seconds: prepared.seconds, frames: prepared.frames,
                sampleRate: prepared.clipFormat.sampleRate, channels: prepared.clipFormat.channels, bitrateKbps: kbps,
                preset: prepared.request.preset.rawValue),
            timings: prepared.timings)
        receipt.notes = prepared.notes
        return receipt
    }
}
