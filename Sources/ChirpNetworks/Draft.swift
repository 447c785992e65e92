/// What is to be posted, before a network has seen it.
public struct Draft: Hashable, Sendable {
    /// Names the publication, so that the same draft sent twice becomes one post. Derived from the journal row.
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    /// The clip itself, for networks that carry sound when they are asked to.
    public struct Attachment: Hashable, Sendable {
        /// The file on this machine.
        public var path: String
        public var bytes: Int64
        /// What those read who cannot hear it.
        public var description: String

        public init(path: String, bytes: Int64, description: String) {
            self.path = path
            self.bytes = bytes
            self.description = description
        }
    }

    public var key: Key
    /// The finished share text, link and tag included.
    public var text: String
    /// The link to the clip, as it stands in the text.
    public var link: String
    /// It may have been sent before: an earlier attempt ended without an answer. A network without keys of its own looks
    /// for the post before it sends another.
    public var isRepetition: Bool
    public var attachment: Attachment?

    public init(key: Key, text: String, link: String, isRepetition: Bool = false, attachment: Attachment? = nil) {
        self.key = key
        self.text = text
        self.link = link
        self.isRepetition = isRepetition
        self.attachment = attachment
    }
}
