internal import ChirpBoards
package import ChirpCommunity
internal import ChirpMusic
package import FoundationEssentials
internal import GRDB

/// Whether the previews of a track tell whose they are, as its author has wished.
package struct TrackTag: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        /// Where a voice may be heard is looked for.
        case waiting
        case ready
        case failed
    }

    package let isOn: Bool
    package let state: State
    /// Of a failed one: a sentence without its full stop, in English.
    package let why: String
    /// For how many people one was made.
    package let listeners: Int

    /// Whether somebody who is signed in gets one of her own.
    package var isHeard: Bool { isOn && state == .ready }
}

/// The preview of a track that is made for one listener alone.
package enum OwnPreview: Hashable, Sendable {
    /// Nobody gets one of her own.
    case none
    /// It was not asked for, or had to make room for others.
    case unmade
    /// It is asked for, or cannot be made.
    case coming
    case ready(File)

    package struct File: Hashable, Sendable {
        package let path: String
        /// In lower-case hexadecimal.
        package let sha256: String
        package let made: Date
        /// When it was fetched last, to an hour.
        let heard: Date
    }
}

/// Whose copy of a preview a recording is.
package struct CopyFindings: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        /// It does not come from the track, or is too short to tell.
        case otherTrack
        /// It comes from the track; whose it is cannot be told.
        case unknown
        /// It is the preview that everybody hears.
        case everybody
        case listener(PostAuthor)
    }

    package let owner: Owner
    /// The part of the track that it is, in seconds; nil when it is none.
    package let part: ClosedRange<Double>?
    /// Seconds of the track in one of the recording.
    package let speed: Double
    /// How often the voice is heard, and how often where the pattern that fits best has it.
    package let heard, agreeing: Int
    /// How sure that pattern is, 0 to 1.
    package let confidence: Double
}

extension ListenerTagging.Ground {
    /// As a row of `trackTags` holds it; nil until it is ready, and for what cannot be read.
    init?(_ row: Row) {
        guard let text: String = row["slots"], let voice: Data = row["voice"],
            let slots = try? JSONDecoder().decode(TagSlots.self, from: Data(text.utf8))
        else { return nil }
        let common = (row["common"] as String?).flatMap {
            try? JSONDecoder().decode(TagPlan.self, from: Data($0.utf8))
        }
        self.init(slots: slots, common: common, voice: Array(voice))
    }
}
