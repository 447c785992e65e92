/// What the encoder is asked for. The sample rate and channel count of the result belong to the plan, not here.
public struct MP3Settings: Hashable, Sendable, Codable {
    /// How bits are spent over time.
    public enum Rate: Hashable, Sendable, Codable {
        /// Constant, in kbps: one of ``MP3Settings/constantRates(at:)``.
        case constant(kbps: Int)
        /// Average, in kbps, between the lowest and the highest of ``MP3Settings/constantRates(at:)``.
        case average(kbps: Int)
        /// Variable by quality, 0 (best) to 9.
        case variable(quality: Int)
    }

    public var rate: Rate
    /// LAME's algorithm quality, 0...9. The default is 4: 3 has a known defect at constant rates, 0...2 cost two to six
    /// times as much and measured no better at 128 kbps.
    public var quality: Int

    public init(rate: Rate, quality: Int = 4) {
        self.rate = rate
        self.quality = quality
    }
}
