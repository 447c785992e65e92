public import ChirpCore
public import ChirpJournal
public import Foundation

/// How long fetched clips stay for replay, and how much of them (CH-12). Pure.
public struct Retention: Hashable, Sendable {
    /// A clip on disk.
    public struct Held: Hashable, Sendable {
        public let id: PlayID
        public let bytes: Int64
        public let fetched: Date
        /// In use: queued, or played at the moment.
        public let isBusy: Bool

        public init(id: PlayID, bytes: Int64, fetched: Date, isBusy: Bool) {
            self.id = id
            self.bytes = bytes
            self.fetched = fetched
            self.isBusy = isBusy
        }
    }

    /// How long after its fetch a clip is kept. Default 7 days.
    public var keep: Duration = .seconds(7 * 86_400)
    /// The most bytes of all clips together. Default 500 MB.
    public var limit = ByteCount(Int64(500_000_000))

    public init() {}

    /// When a clip goes, if the limit does not take it earlier.
    public func expiry(ofFetched fetched: Date) -> Date { fetched + keep.timeInterval }

    /// The clips to remove now, oldest first: those past their time, then the oldest until the rest fits together with
    /// `coming` bytes more. Busy ones stay.
    public func expired(of held: [Held], now: Date, coming: Int64 = 0) -> [PlayID] {
        var total = coming + held.reduce(0) { $0 + $1.bytes }
        var removed: [PlayID] = []
        for clip in held.sorted(by: { ($0.fetched, $0.id) < ($1.fetched, $1.id) }) where !clip.isBusy {
            guard expiry(ofFetched: clip.fetched) <= now || total > limit.bytes else { continue }
            removed.append(clip.id)
            total -= clip.bytes
        }
        return removed
    }
}
