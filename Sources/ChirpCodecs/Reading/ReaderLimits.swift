/// What is accepted from a stranger's file. Headers promise anything, so these bound what is decoded, not what is announced.
public struct ReaderLimits: Hashable, Sendable {
    /// The most audio decoded from one input; a longer one is refused when it gets there. Default 24 h: a few hundred
    /// kilobytes of FLAC can decode to twelve.
    public var maximumLength: Duration
    /// Accepted sample rates in hertz. Default 4 kHz to 384 kHz.
    public var sampleRates: ClosedRange<Int>
    /// The most channels of the source, 1...8 (7.1 is the largest layout that can be mixed down).
    public var maximumChannels: Int
    /// The largest picture or text taken from tags, in bytes; larger ones are ignored. Default 16 MiB.
    public var maximumTagBytes: Int

    public init(
        maximumLength: Duration = .seconds(24 * 3600), sampleRates: ClosedRange<Int> = 4000...384_000,
        maximumChannels: Int = 8, maximumTagBytes: Int = 16 << 20
    ) {
        precondition((1...8).contains(maximumChannels) && sampleRates.lowerBound > 0 && maximumTagBytes >= 0)
        self.maximumLength = maximumLength
        self.sampleRates = sampleRates
        self.maximumChannels = maximumChannels
        self.maximumTagBytes = maximumTagBytes
    }

    public static let `default` = ReaderLimits()
}
