package import ChirpHTTP
package import FoundationEssentials

/// Something that was posted at another server: a Note, Article, Question, Page, Audio or Video. Texts are plain.
package struct RemoteNote: Hashable, Sendable {
    /// Who may see it, as Mastodon reads it out of `to` and `cc`.
    package enum Audience: Hashable, Sendable {
        /// Everybody is in `to`.
        case everybody
        /// Everybody is in `cc`.
        case unlisted
        /// The author's followers, and those who are mentioned.
        case followers
        /// Only those who are named.
        case direct
    }

    /// A sound that is attached.
    package struct Sound: Hashable, Sendable {
        package let address: WebAddress
        /// Lower case, without parameters: `audio/mpeg`.
        package let mediaType: String
        /// At most 1,500 characters.
        package let name: String
    }

    package let id: ObjectID
    /// Of the same origin as the id.
    package let author: ObjectID
    package let inReplyTo: ObjectID?
    /// `content`, made plain; at most 10,000 characters.
    package let text: String
    /// The warning before it (`summary`); at most 500 characters.
    package let warning: String?
    /// A language tag (BCP 47), lower case.
    package let language: String?
    package let published: Date?
    package let updated: Date?
    /// Its page for people.
    package let page: WebAddress?
    package let audience: Audience
    /// At most 100 of those who are named in `to`, `cc` and mentions; neither everybody nor a collection of followers of the author
    /// as far as that is known by its place.
    package let named: [ObjectID]
    /// At most 50, without `#`, as they are written.
    package let hashtags: [String]
    /// At most 16.
    package let sounds: [Sound]
    package let isSensitive: Bool
}
