internal import ChirpCore
internal import FoundationEssentials

/// An id of X: milliseconds since 4 November 2010 in its upper bits, so that ids are in the order of time.
struct Snowflake: Hashable, Comparable, Sendable {
    let value: UInt64

    /// Milliseconds between 1970 and the first id.
    private static let epoch = 1_288_834_974_657.0

    /// 42 bits of milliseconds: the year 2150.
    private static let most = 4_398_046_511_103.0

    init?(_ text: String) {
        guard let value = UInt64(text) else { return nil }
        self.value = value
    }

    private init(value: UInt64) {
        self.value = value
    }

    /// The first id of a millisecond.
    init(at date: Date) {
        let milliseconds = (date.bounded.timeIntervalSince1970 * 1000 - Self.epoch).rounded()
        value = UInt64(min(max(milliseconds, 0), Self.most)) << 22
    }

    func earlier(by duration: Duration) -> Snowflake {
        let milliseconds = UInt64(min(max(duration / .milliseconds(1), 0), Self.most))
        return Snowflake(value: value - min(value, milliseconds << 22))
    }

    var text: String { String(value) }
    static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}
