package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// Something that a member has sent or is sending, and what became of it. Its text came from outside; it is plain, but not yet
/// escaped for any format.
package struct MediaItem: Hashable, Sendable {
    /// Also the name of its file.
    package let id: HubID
    package let owner: AccountID
    package let wishes: Wishes
    package let state: State
    /// Why it was refused.
    package let why: String?
    /// Its size as announced; nil while nobody knows.
    package let bytes: Int64?
    /// What it hashes to, in lower-case hexadecimal; nil before its last byte has come and was read.
    package let sha256: String?
    /// The clip that it became.
    package let clip: HubID?
    /// What a listener who cannot hear it reads.
    package let description: String
    package let created: Date
    /// When it is removed, unless it is completed before.
    package let expires: Date?
    /// Where a chunk begins that is not checked yet.
    let solid: Int64?

    /// How far it is.
    package enum State: String, Hashable, Sendable, CaseIterable {
        case receiving, checking, ready, refused
    }

    /// What is to become of it.
    package enum Kind: String, Hashable, Sendable {
        /// A clip is made of it, as of any recording.
        case clip
        /// It is a clip already, and stays as it is.
        case keep
    }

    /// What is wanted of a film.
    package struct Film: Hashable, Sendable {
        /// Where in it the timer begins that is burnt into the shown copy, in ms; nil: there is none.
        package var timer: Int?
        /// It is a track: kept whole, and shown to nobody; what others hear of it is a clip that is made of it.
        package var isTrack: Bool

        package init(timer: Int?, isTrack: Bool = false) { (self.timer, self.isTrack) = (timer, isTrack) }
    }

    /// What the sender says of it. Whoever makes one has made its text plain.
    package struct Wishes: Hashable, Sendable {
        package var kind = Kind.clip
        package var title = ""
        package var fileName = ""
        /// As the sender names it; believed by nobody.
        package var type = ""
        package var description = ""
        /// As it was sent, to be given back.
        package var metadata = ""
        /// The id that the clip is to have; nil for a new one.
        package var clip: HubID?
        /// What the bytes must hash to, in lower-case hexadecimal.
        package var sha256: String?
        /// It is begun as a draft: it stays, and its clip is no clip of the hub, until it is published.
        package var isDraft = false
        /// It is a film, and becomes no clip.
        package var film: Film?
        /// When the clip ends; nil for never.
        package var lasting: Date?

        package init() {}
    }
}

extension MediaItem {
    init?(row: Row) {
        guard let id = HubID(row["id"] as String), let state = State(rawValue: row["state"]),
            let kind = Kind(rawValue: row["kind"])
        else { return nil }
        var wishes = Wishes()
        wishes.kind = kind
        (wishes.title, wishes.fileName, wishes.type) = (row["title"], row["fileName"], row["type"])
        (wishes.metadata, wishes.description) = (row["metadata"], row["description"])
        wishes.clip = (row["wish"] as String?).flatMap { HubID($0) }
        wishes.sha256 = row["promised"]
        wishes.lasting = (row["lasting"] as Int64?).map(HubLibrary.date)
        self.wishes = wishes
        self.id = id
        self.state = state
        owner = AccountID(rawValue: row["owner"])
        (why, bytes, solid, sha256) = (row["why"], row["bytes"], row["solid"], row["sha256"])
        description = row["description"]
        clip = (row["clip"] as String?).flatMap { HubID($0) }
        created = HubLibrary.date(row["created"])
        expires = (row["expires"] as Int64?).map(HubLibrary.date)
    }
}
