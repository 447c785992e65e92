package import ChirpHTTP
package import FoundationEssentials

/// A post of this hub as other servers are told of it: a `Note` with its sound as a `Document`, which is what Mastodon plays.
package struct LocalNote: Hashable, Sendable {
    package struct Sound: Hashable, Sendable {
        package var address: WebAddress
        /// Such as `audio/mpeg`.
        package var mediaType: String
        /// What is heard, for those who do not hear it.
        package var name: String
        /// More of the same, such as a transcript; nil leaves it out.
        package var summary: String?

        package init(address: WebAddress, mediaType: String, name: String, summary: String? = nil) {
            self.address = address
            self.mediaType = mediaType
            self.name = name
            self.summary = summary
        }
    }

    package enum Audience: Hashable, Sendable { case everybody, unlisted }

    package struct Mention: Hashable, Sendable {
        package var id: ObjectID
        /// `@ann@hub.example`.
        package var name: String

        package init(id: ObjectID, name: String) {
            self.id = id
            self.name = name
        }
    }

    package var id: ObjectID
    package var author: ObjectID
    /// The author's followers.
    package var followers: WebAddress
    package var page: WebAddress
    /// Plain text with line ends; it is sent as HTML.
    package var text: String
    package var warning: String?
    /// A language tag (BCP 47).
    package var language: String?
    package var published: Date
    package var updated: Date?
    package var inReplyTo: ObjectID?
    package var audience: Audience
    package var sounds: [Sound]
    /// Without `#`; their pages are ``tagPage`` and the tag.
    package var hashtags: [String]
    /// Such as `https://hub.example/tags`.
    package var tagPage: WebAddress
    package var mentions: [Mention]

    package init(
        id: ObjectID, author: ObjectID, followers: WebAddress, page: WebAddress, text: String, warning: String? = nil,
        language: String? = nil, published: Date, updated: Date? = nil, inReplyTo: ObjectID? = nil,
        audience: Audience = .everybody, sounds: [Sound] = [], hashtags: [String] = ["Chirp"], tagPage: WebAddress,
        mentions: [Mention] = []
    ) {
        self.id = id
        self.author = author
        self.followers = followers
        self.page = page
        self.text = text
        self.warning = warning
        self.language = language
        self.published = published
        self.updated = updated
        self.inReplyTo = inReplyTo
        self.audience = audience
        self.sounds = sounds
        self.hashtags = hashtags
        self.tagPage = tagPage
        self.mentions = mentions
    }
}
