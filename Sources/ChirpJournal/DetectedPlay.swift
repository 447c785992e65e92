public import FoundationEssentials

/// A clip that was found in a post, before it has a row.
public struct DetectedPlay: Hashable, Sendable {
    /// The network's own id of the post.
    public var postID: String
    /// Which of the post's clips, from 0.
    public var part: Int
    /// Where the sound lies, as JSON.
    public var address: String
    public var authorID: String
    public var handle: String
    public var authorName: String
    /// The post's text, made safe to show.
    public var words: String
    /// When it was posted, as the network says.
    public var posted: Date

    public init(
        postID: String, part: Int, address: String, authorID: String, handle: String, authorName: String,
        words: String, posted: Date
    ) {
        self.postID = postID
        self.part = part
        self.address = address
        self.authorID = authorID
        self.handle = handle
        self.authorName = authorName
        self.words = words
        self.posted = posted
    }
}
