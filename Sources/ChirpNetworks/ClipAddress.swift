/// Where the sound of a clip lies, as found in a post.
public enum ClipAddress: Hashable, Sendable, Codable {
    /// A file of Google Drive that anyone may read.
    case drive(id: String, resourceKey: String?)
    /// The sound file of a hub's clip, or below another configured address.
    case hub(String)
    /// Sound that the network carries with the post.
    case attachment(String)
}
