package import ChirpCommunity
package import ChirpMusic

/// The parts that a track is mixed of, and whether they make up its mix.
package struct TrackStems: Hashable, Sendable {
    package struct Stem: Hashable, Sendable {
        /// What was sent.
        package let film: HubID
        /// As its author calls it.
        package let name: String
    }

    /// What came of taking their sum away from the mix.
    package enum Check: Hashable, Sendable {
        case waiting
        case found(StemFindings)
        /// A sentence without its full stop, in English.
        case failed(String)
    }

    package let stems: [Stem]
    package let check: Check

    /// Characters of a name.
    package static let longestName = 60
}
