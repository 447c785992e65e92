package import ChirpAccounts
package import FoundationEssentials
internal import GRDB

/// A post in the library, and the clip it is about when that one is kept here.
package struct HubPost: Hashable, Sendable {
    /// The place in the feed: later posts have greater numbers, and no number is used twice.
    package var sequence: Int64
    package var id: String
    package var author: PostAuthor
    /// Whether that is the one whose library it is.
    package var isByOwner: Bool
    package var text: String
    /// The link as the draft named it; may lead elsewhere.
    package var link: String
    package var created: Date
    package var clip: HubClip?
    package var visibility = Visibility.published
    /// Not to be seen by others than its author until a moderator has looked, or for good.
    package var isWithheld = false
    /// The place in the feed of what it answers.
    package var replyTo: Int64?
    /// What stands before it, for those who rather not see the rest.
    package var spoiler = ""
    /// As in BCP 47; nil when nobody has said.
    package var language: String?

    /// Who may see it.
    package enum Visibility: String, Hashable, Sendable, CaseIterable {
        /// Everybody, in every list.
        case published = "public"
        /// Everybody who has its link or looks at its author's page.
        case unlisted
        /// Those who follow its author.
        case followers
        /// Those whom it names.
        case direct
    }
}

/// Somebody who can post here.
package struct PostAuthor: Hashable, Sendable {
    package let id: AccountID
    /// Without the leading `@`.
    package let handle: String
    /// As the person wants to be called; plain text.
    package let name: String

    /// Somebody at another server, as `ann@example.org`: handles of this hub have no `@`.
    package var isElsewhere: Bool { handle.contains("@") }

    package init(id: AccountID, handle: String, name: String) {
        self.id = id
        self.handle = handle
        self.name = name
    }

    init(_ row: Row) { self.init(id: row["id"], handle: row["handle"], name: row["name"]) }
}
