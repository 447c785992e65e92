/// Where posts live.
public protocol Network: Sendable {
    var properties: NetworkProperties { get }

    /// The accounts that the signed-in user follows, in the network's order.
    func followed() async throws(NetworkError) -> [Account]

    /// Posts the draft. Repeating it with the same key gives the same post, also after a lost answer.
    ///
    /// - Returns: nil for a network that leaves posting to the user (`none`, or an intent page).
    func publish(_ draft: Draft) async throws(NetworkError) -> Post?

    /// Removes a post of one's own. Succeeds when there is none.
    func remove(_ id: Post.ID) async throws(NetworkError)

    /// The posts of some accounts that came after a cursor, oldest first, and the cursor behind them. Returns at once.
    func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    )
}
