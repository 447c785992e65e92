internal import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
package import FoundationEssentials

/// What somebody offers: a beat, or an open. What all entries have, and what is heard in it.
package struct Track: Hashable, Sendable, Identifiable {
    package let item: Item
    /// Versions of one work, such as one with another hook, belong together: what is sold of a work is sold of all of them.
    package let work: HubID
    package let kind: Kind
    /// What tells it from other versions of the work; empty where there is one.
    package let versionName: String
    /// What was sent; nil once that has gone.
    package let master: HubID?
    package let price: TrackPrice
    package let progress: Progress
    /// Why it cannot be used, in English, where it was refused.
    package let why: String
    /// It appears as soon as what was sent is ready.
    package let appears: Bool
    /// Nil until it is ready.
    package let facts: TrackFacts?

    package var id: HubID { item.id }

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Music that waits for a voice.
        case beat
        /// A voice that waits for its music.
        case open
    }

    /// How far what was sent is.
    package enum Progress: String, Hashable, Sendable, CaseIterable {
        /// It is still sent, or listened to.
        case checking
        /// It was listened to; what follows from that is not written down yet.
        case made
        case ready
        case refused
    }
}

/// What a viewer finds at a track's address.
package enum TrackSight: Hashable, Sendable {
    case track(Track)
    case gone(Item.State, since: Date?)
}

/// How an item of the board has ended that stays readable.
package enum TrackOutcome {
    /// Its author offers it no longer.
    package static let retired = "retired"
    /// Sold exclusively: nobody else gets it (AR-17).
    package static let sold = "sold"
}

/// What somebody says of a track.
package struct TrackDraft: Hashable, Sendable {
    package var kind: Track.Kind
    package var title: String
    package var text = ""
    /// As in `en`.
    package var language: String?
    package var tags: [String] = []
    package var price = TrackPrice.offer
    /// The upload; nil when it is changed: what is there stays.
    package var master: HubID?
    package var cover: HubID?
    /// Until when it is offered; nil: as long as its author wants.
    package var until: Date?
    /// One of the author's own tracks that this is another version of.
    package var versionOf: HubID?
    package var versionName = ""
    /// It appears as soon as what was sent is ready.
    package var appears = true

    package init(kind: Track.Kind, title: String) { (self.kind, self.title) = (kind, title) }

    /// Characters.
    package static let longestTitle = 100
    package static let longestText = 5000
    package static let longestVersionName = 60
}
