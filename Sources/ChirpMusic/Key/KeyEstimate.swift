/// The key of music, with what it may be taken for as well.
package struct KeyEstimate: Codable, Hashable, Sendable {
    /// Another key and how it is related.
    package struct Alternative: Codable, Hashable, Sendable {
        package let key: MusicalKey
        package let relation: MusicalKey.Relation
        /// 0 to 1: how well its profile fits; never more than that of the key itself.
        package let fit: Double
    }

    package let key: MusicalKey
    /// 0 to 1: how well its profile fits.
    package let fit: Double
    /// Its relative, its parallel and the likelier of the two keys a fifth away: the likeliest first.
    package let alternatives: [Alternative]
    /// 0 to 1: how far the key's fit is above that of the next key, whichever that is, times the fit.
    package let confidence: Double
    /// How far the recording is above the tuning of A at 440 Hz, in cents: -50 to 50.
    package let cents: Double
}
