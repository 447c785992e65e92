/// The owner's publications on other networks, by her own sign-ins on this machine. The hub neither reads those nor talks to the networks:
/// who does is decided where it is put together.
public struct OnwardPublishing: Sendable {
    /// A network to which somebody has signed in.
    public struct Linked: Codable, Hashable, Sendable {
        /// `mastodon` or `x`.
        public var network: String
        /// The most characters of a share text, and how many of them a link is.
        public var most: Int
        public var link: Int

        public init(network: String, most: Int, link: Int) {
            self.network = network
            self.most = most
            self.link = link
        }
    }

    /// What is wanted.
    public struct Order: Codable, Hashable, Sendable {
        public var network: String
        /// Without link and tag.
        public var words: String
        /// Of the clip.
        public var page: String
        /// The same for every try.
        public var key: String
        /// An earlier try has ended without an answer: the post may be there.
        public var isRepetition: Bool

        public init(network: String, words: String, page: String, key: String, isRepetition: Bool) {
            self.network = network
            self.words = words
            self.page = page
            self.key = key
            self.isRepetition = isRepetition
        }
    }

    /// What came of it.
    public enum Answer: Codable, Hashable, Sendable {
        /// With the address of the post there, if it has one.
        case posted(link: String?)
        /// It will not be better later; the reason is for people.
        case refused(why: String)
        /// It may go better later. The post may be there all the same.
        case notNow(why: String)
    }

    /// Where the owner has signed in.
    public let linked: @Sendable () async -> [Linked]
    /// Posts. May be asked for the same again.
    public let publish: @Sendable (Order) async -> Answer

    public init(
        linked: @escaping @Sendable () async -> [Linked], publish: @escaping @Sendable (Order) async -> Answer
    ) {
        self.linked = linked
        self.publish = publish
    }
}
