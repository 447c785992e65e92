public import ChirpClips
internal import ChirpFiles
internal import ChirpNetworks
internal import ChirpStores

/// What a user wants published, and how.
public struct PublishRequest: Hashable, Sendable {
    public var clip: ClipRequest
    /// The recording is a copy in the outbox folder, which belongs to the publication.
    public var inputIsSpooled: Bool
    /// What people see; plain text, may be empty.
    public var title: String
    /// Extra words for the share text.
    public var words: String
    /// How long the clip stays; nil for ever.
    public var lifetime: Duration?
    /// Publish anew what is published already.
    public var again: Bool

    public init(
        clip: ClipRequest, inputIsSpooled: Bool = false, title: String = "", words: String = "",
        lifetime: Duration? = nil, again: Bool = false
    ) {
        self.clip = clip
        self.inputIsSpooled = inputIsSpooled
        self.title = title
        self.words = words
        self.lifetime = lifetime
        self.again = again
    }

    /// The SHA-256 of every setting that shapes the clip, the post or its place, but not of the recording itself, nor of
    /// where it lies or how many threads encode it.
    func settingsSHA256(store: StoreProperties, network: NetworkProperties) -> String {
        struct Key: Encodable {
            var clip: ClipRequest
            var title: String
            var words: String
            var lifetime: Duration?
            var store: String
            var place: String
            var network: String
        }
        var clip = clip
        clip.source = ClipSource(path: "", name: "", sha256: "")
        clip.jobs = 1
        let key = Key(
            clip: clip, title: title, words: words, lifetime: lifetime, store: store.name, place: store.place,
            // Without a place as before there were any, so that what was published then is known.
            network: network.place.isEmpty ? network.name : "\(network.name) \(network.place)")
        return FileDigest.sha256(of: JSONText.encode(key))
    }
}
