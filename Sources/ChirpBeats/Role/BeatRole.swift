/// What somebody is on the board, which says what she may offer (AR-9). Everybody may like, comment, archive, bid, buy and ask.
package enum BeatRole: String, Hashable, Sendable, CaseIterable {
    /// Offers beats.
    case producer
    /// Offers opens: a voice without its beat.
    case artist
    /// Offers nothing.
    case user

    /// What this one may offer; nil: nothing.
    package var offers: Track.Kind? {
        switch self {
        case .producer: .beat
        case .artist: .open
        case .user: nil
        }
    }
}
