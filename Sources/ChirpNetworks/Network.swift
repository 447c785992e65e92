/// Where posts live.
public protocol Network: Sendable {
    var properties: NetworkProperties { get }

    /// How it counts texts; asks the service when only that knows.
    func textRules() async throws(NetworkError) -> TextRules

    /// Whether a post would be taken now, as far as can be told without sending it: whether somebody is signed in, and what a
    /// post costs is covered. Called before anything is encoded or sent.
    func admit() async throws(NetworkError)

    /// The accounts that the signed-in user follows, in the network's order.
    func followed() async throws(NetworkError) -> [Account]

    /// Posts the draft. Repeating it with the same key gives the same post, also after a lost answer.
    ///
    /// - Returns: nil for a network that leaves posting to the user (`none`, or an intent page).
    func publish(_ draft: Draft) async throws(NetworkError) -> Post?

    /// The page where the user posts the text, for a network that leaves that to them; nil when there is none.
    func page(for draft: Draft) -> String?

    /// Removes a post of one's own. Succeeds when there is none.
    func remove(_ id: Post.ID) async throws(NetworkError)

    /// Does with a post what is wanted when its clip has expired: removes it, or says in it that the clip is gone.
    func expire(_ id: Post.ID) async throws(NetworkError)

    /// The posts of some accounts that came after a cursor, oldest first, and the cursor behind them. Returns at once.
    func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    )
}

extension Network {
    public func textRules() async throws(NetworkError) -> TextRules { properties.textRules }
    public func admit() async throws(NetworkError) {}
    public func page(for draft: Draft) -> String? { nil }
    public func expire(_ id: Post.ID) async throws(NetworkError) { try await remove(id) }
}

/// Facts about a network that callers may ask for before they try.
public struct NetworkProperties: Hashable, Sendable {
    /// As in `--network NAME`.
    public var name: String
    /// Which one of that name: the address of the hub that somebody is signed in to. Empty when there is only one. Written into the
    /// journal, so that a publication is posted and removed where it was begun.
    public var place: String
    public var textRules: TextRules
    /// What one post with a link costs, in US dollars; 0 when posting is free.
    public var costPerPostUSD: Double
    /// What listening and lists of accounts cost, in words; nil when they are free.
    public var readingCosts: String?

    public init(
        name: String, place: String = "", textRules: TextRules, costPerPostUSD: Double = 0,
        readingCosts: String? = nil
    ) {
        self.name = name
        self.place = place
        self.textRules = textRules
        self.costPerPostUSD = costPerPostUSD
        self.readingCosts = readingCosts
    }
}

/// How far a feed has been read: opaque, made and understood by its network, kept in the journal.
public struct Cursor: Hashable, Sendable, Codable {
    public let text: String
    public init(_ text: String) { self.text = text }
}
