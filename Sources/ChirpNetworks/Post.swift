public import FoundationEssentials

/// A share text on a network.
public struct Post: Hashable, Sendable {
    public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public let id: ID
    public let author: Account
    /// As written, plain text with real (expanded) addresses.
    public let text: String
    /// Addresses of links in the order of the text, expanded.
    public let links: [String]
    /// Hashtags without `#`, as written.
    public let tags: [String]
    /// Where people can read it; nil when the network has no page for it.
    public let url: String?
    public let created: Date
    /// Addresses of sound that the network itself carries with the post.
    public let audio: [String]

    public init(
        id: ID, author: Account, text: String, links: [String] = [], tags: [String] = [], url: String? = nil,
        created: Date, audio: [String] = []
    ) {
        self.id = id
        self.author = author
        self.text = text
        self.links = links
        self.tags = tags
        self.url = url
        self.created = created
        self.audio = audio
    }

    /// The same as it is heard by who has chosen ``Account/watched``: what none of the others that are chosen has written comes from there.
    package func asWatched(unlessBy chosen: Set<Account.ID>) -> Post {
        guard !chosen.contains(author.id) else { return self }
        return Post(
            id: id, author: .watched, text: text, links: links, tags: tags, url: url, created: created, audio: audio)
    }
}
