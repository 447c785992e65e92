/// What is to be posted, before a network has seen it.
public struct Draft: Hashable, Sendable {
    /// Names the publication, so that the same draft sent twice becomes one post. Derived from the journal row.
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public var key: Key
    /// The finished share text, link and tag included.
    public var text: String
    /// The link to the clip, as it stands in the text.
    public var link: String

    public init(key: Key, text: String, link: String) {
        self.key = key
        self.text = text
        self.link = link
    }
}
