/// What the hub shows of a clip's sound. It is measured by whoever saves the clip, because the hub decodes nothing.
public struct HubSound: Hashable, Sendable {
    /// The length in seconds, 0 or more.
    public var seconds: Double
    /// The highest magnitude of each of equally long stretches, 255 being full scale; a picture needs about 200.
    public var peaks: [UInt8]

    /// More peaks than this are not kept.
    public static let mostPeaks = 4096

    public init(seconds: Double, peaks: [UInt8] = []) {
        self.seconds = seconds.isFinite ? max(seconds, 0) : 0
        self.peaks = Array(peaks.prefix(Self.mostPeaks))
    }
}
