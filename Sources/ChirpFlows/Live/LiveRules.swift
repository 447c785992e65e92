public import ChirpCore
public import ChirpJournal

/// How live listening behaves; every value can be configured.
public struct LiveRules: Hashable, Sendable {
    public var queue = OrderedPrefetch<PlayID>.Rules()
    /// Silence between clips. Default 1 s (UF-5).
    public var pause: Duration = .seconds(1)
    /// The largest clip that is fetched. Default 25 MB: ten minutes at 320 kbps.
    public var maximumBytes = ByteCount(Int64(25_000_000))
    /// The longest clip that is played. Default 10 min (CH-11).
    public var maximumLength: Duration = .seconds(600)
    public var retention = Retention()
    /// A session that was cut off longer ago is not gone on with.
    public var memory: Duration = .seconds(86_400)
    /// A network that asks to be left alone for longer is asked again after this time all the same. Default 15 min: so long X's
    /// limits last, and a service that asks for days would fall silent for days.
    public var longestCut: Duration = .seconds(900)

    public init() {
        // Clips ahead, the one that is heard and those on their way fit into the cache even when all are as large as allowed.
        queue.ahead = 16
    }
}
