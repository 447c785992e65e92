package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Somebody's live listening in a browser, as its row has it.
package struct ListeningSession: Hashable, Sendable {
    /// Of the row.
    package let number: Int64
    package let id: String
    /// Who listens.
    package let account: AccountID
    /// To whom.
    package var chosen: [PostAuthor]
    package var begins: Date
    package var ends: Date
    /// Whether the clock on the wall decides, not the time that passes.
    package var followsClock: Bool
    package var isPaused: Bool
    /// Up to which place in the feed posts were looked at.
    package var readTo: Int64
    /// How many processes have driven it.
    package let runs: Int
    /// Which process drives it (``ListeningStore/isDriven(_:)``).
    let driver: String?
    package let created: Date
    /// Nil while it runs.
    package var ended: Date?

    init(_ row: Row, chosen: [PostAuthor]) {
        number = row["number"]
        id = row["id"]
        account = row["account"]
        self.chosen = chosen
        begins = HubLibrary.date(row["begins"])
        ends = HubLibrary.date(row["ends"])
        followsClock = row["followsClock"]
        isPaused = row["paused"]
        readTo = row["readTo"]
        runs = row["runs"]
        driver = row["driver"]
        created = HubLibrary.date(row["created"])
        ended = (row["ended"] as Int64?).map(HubLibrary.date)
    }
}

/// A clip that arrived while somebody listened.
package struct ListeningPlay: Hashable, Sendable, Identifiable {
    package enum State: String, Hashable, Sendable { case queued, playing, played, skipped, failed }

    /// Greater than those that arrived before.
    package let id: Int64
    package let session: Int64
    /// The post's place in the feed; nil when it was deleted, or its clip.
    package var post: Int64?
    /// Who spoke; nil when that account was deleted.
    package let author: AccountID?
    package let arrived: Date
    package var state: State
    /// How much of it was heard when its browser last said so.
    package var seconds: Double
    /// Why it was not heard; empty where the state says all.
    package var why: String

    init(_ row: Row) {
        id = row["id"]
        session = row["session"]
        post = row["post"]
        author = row["author"]
        arrived = HubLibrary.date(row["arrived"])
        state = State(rawValue: row["state"]) ?? .failed
        seconds = row["seconds"]
        why = row["why"]
    }
}

/// A play as the page of what was heard shows it.
package struct HeardPlay: Hashable, Sendable, Identifiable {
    /// Why it cannot be played.
    package enum Absence: String, Hashable, Sendable {
        /// The post was deleted, or its clip, or its author's account.
        case deleted
        case expired
        /// It is there, and no longer for this listener.
        case withheld
    }

    package let play: ListeningPlay
    /// What is to be heard; nil when it cannot be any more.
    package let post: HubPost?
    package let absence: Absence?
    /// Until when it is listed.
    package let keptUntil: Date

    package var id: Int64 { play.id }
}

/// What has to be known to begin or change listening.
package struct ListeningWindow: Hashable, Sendable {
    package let begins: Date
    package let ends: Date
    package let followsClock: Bool

    package init(begins: Date, ends: Date, followsClock: Bool) {
        (self.begins, self.ends, self.followsClock) = (begins, ends, followsClock)
    }
}
