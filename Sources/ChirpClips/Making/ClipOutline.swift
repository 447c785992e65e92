/// What a picture of a finished clip needs, found by the check that decoded it.
public struct ClipOutline: Hashable, Sendable {
    public var seconds: Double
    /// The highest magnitudes of equally long stretches, 1 being full scale.
    public var magnitudes: [Float]

    public init(seconds: Double, magnitudes: [Float]) {
        self.seconds = seconds
        self.magnitudes = magnitudes
    }
}
