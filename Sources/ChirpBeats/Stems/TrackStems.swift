package import ChirpCommunity
package import ChirpMusic
internal import FoundationEssentials

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

    /// Whether they were found to make up the mix: then they can be sold with it.
    package var areProven: Bool {
        if case .found(let findings) = check { findings.residual <= StemFindings.good } else { false }
    }

    /// As they were written down; nil for none, and for what cannot be read.
    static func findings(_ json: String?) -> StemFindings? {
        json.flatMap { try? JSONDecoder().decode(StemFindings.self, from: Data($0.utf8)) }
    }
}
