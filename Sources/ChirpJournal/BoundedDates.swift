internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension DatabaseDateEncodingStrategy {
    /// GRDB writes `yyyy-MM-dd HH:mm:ss.SSS` and reads years of four digits only, so an instant of a clock that is set wrongly is
    /// brought within them.
    static var boundedDates: DatabaseDateEncodingStrategy { .custom { $0.bounded } }
}
