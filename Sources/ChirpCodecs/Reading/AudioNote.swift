/// Something about an input that its owner should know, although it could be read.
public enum AudioNote: Hashable, Sendable {
    /// The input ends before what its header announced. The time that is missing in seconds, when it is known.
    case truncated(missingSeconds: Double?)
    /// The decoder met damage and went on after it, that many times.
    case damaged(places: Int)
    /// That many samples were not numbers, infinite, or beyond any sense (more than 96 dB above full scale), and are silence now.
    case invalidSamples(count: Int)
    /// More than two channels were mixed to stereo (ITU-R BS.775-3); `assumed` when the input did not name its layout.
    case mixedDown(layout: String, assumed: Bool)
    /// More than two channels were read as they are; the input did not name its layout, which was taken for the usual one.
    case layoutAssumed(layout: String)
    /// More than two channels were read as they are, of a layout that is not known: each counts as one in front.
    case layoutUnknown(channels: Int)
    /// Sample rate or channels change in the middle; only the part before it was read. The time of the change in seconds.
    case formatChanged(atSeconds: Double)
    /// The header contradicted itself; what was believed instead.
    case headerRepaired(String)

    /// Stable, for scripts.
    public var code: String {
        switch self {
        case .truncated: "input-truncated"
        case .damaged: "input-damaged"
        case .invalidSamples: "input-invalid-samples"
        case .mixedDown: "input-mixed-down"
        case .layoutAssumed: "input-layout-assumed"
        case .layoutUnknown: "input-layout-unknown"
        case .formatChanged: "input-format-changed"
        case .headerRepaired: "input-header-repaired"
        }
    }

    /// For people: one sentence without a full stop.
    public var text: String {
        switch self {
        case .truncated(let seconds?):
            "the input ends early: \(tenths(seconds)) s that its header announces are missing"
        case .truncated(nil): "the input ends early: its header announces more"
        case .damaged(1): "the input is damaged in one place; what could be decoded was kept"
        case .damaged(let places): "the input is damaged in \(places) places; what could be decoded was kept"
        case .invalidSamples(1): "one sample was not a valid number and was replaced by silence"
        case .invalidSamples(let count): "\(count) samples were not valid numbers and were replaced by silence"
        case .mixedDown(let layout, false): "\(layout) was mixed down to stereo"
        case .mixedDown(let layout, true): "the channels carry no names: taken as \(layout) and mixed down to stereo"
        case .layoutAssumed(let layout): "the channels carry no names: measured as \(layout)"
        case .layoutUnknown(let channels):
            "the layout of its \(channels) channels is not known: each was measured as one in front, at full weight"
        case .formatChanged(let seconds):
            "the input changes its format after \(tenths(seconds)) s; the rest was left out"
        case .headerRepaired(let repair): "the header contradicts itself: \(repair)"
        }
    }

    private func tenths(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "many" }
        let tenths = Int((seconds * 10).rounded(.awayFromZero))
        return "\(tenths / 10).\(tenths.magnitude % 10)"
    }
}
