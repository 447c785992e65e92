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
