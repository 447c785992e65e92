public import ChirpAudio
internal import ChirpCodecs
public import ChirpCore
package import ChirpFiles
public import ChirpMP3

/// The plan of a clip: the facts, the decisions and the size, before anything is encoded.
///
/// Made by ``prepare(_:progress:)``, turned into bytes by ``make(_:to:progress:)``.
public struct ClipPlan: Sendable {
    public let request: ClipRequest
    public let analysis: ClipAnalysis
    public let plan: EditPlan
    /// The sample rate and the channels of the clip.
    public let clipFormat: AudioFormat
    /// The request's settings, or the constant rate that ``ClipRequest/maximumBytes`` chose.
    public let settings: MP3Settings
    /// The size of the clip: exact for constant rates, an upper bound otherwise.
    public let predictedBytes: ByteCount
    /// What was read, as the receipt tells it.
    public let input: Receipt.Input
    /// What the user should know, from reading and planning.
    public let notes: [Receipt.Note]
    /// What preparing took: ``Receipt/Timings/analyse``.
    public let timings: Receipt.Timings

    /// What the system said of the recording before it was read; nil when that was not asked.
    package var seal: FileSeal?

    /// The length of the clip in frames of ``clipFormat``: what a decoder will find, exactly.
    public var frames: Int { plan.frames.count }
    /// The length of the clip in seconds.
    public var seconds: Double { clipFormat.seconds(ofFrames: frames) }

    /// What a receipt can tell before the clip is made: no digest, no level, and the size that is expected.
    public var preview: Receipt {
        let bytes = predictedBytes.bytes
        let kbps: Int
        switch settings.rate {
        case .constant(let rate), .average(let rate): kbps = rate
        case .variable: kbps = seconds > 0 ? Int((Double(bytes) * 8 / 1000 / seconds).rounded()) : 0
        }
        var receipt = Receipt(
            input: input, trim: Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: false),
            level: Receipt.Level(method: .none, gainDB: 0, limitedDB: 0),
            clip: Receipt.Clip(
                bytes: bytes, predictedBytes: bytes, sha256: "", seconds: seconds, frames: frames,
                sampleRate: clipFormat.sampleRate, channels: clipFormat.channels, bitrateKbps: kbps,
                preset: request.preset.rawValue),
            timings: timings)
        receipt.notes = notes
        return receipt
    }

    package init(
        request: ClipRequest, analysis: ClipAnalysis, plan: EditPlan, clipFormat: AudioFormat, settings: MP3Settings,
        predictedBytes: ByteCount, input: Receipt.Input, notes: [Receipt.Note], timings: Receipt.Timings
    ) {
        self.request = request
        self.analysis = analysis
        self.plan = plan
        self.clipFormat = clipFormat
        self.settings = settings
        self.predictedBytes = predictedBytes
        self.input = input
        self.notes = notes
        self.timings = timings
    }
}
