/// No network at all: the share text is written and the user posts it where they like.
public struct NoNetwork: Network {
    public let properties: NetworkProperties

    /// - Parameter textRules: how long a text to write; without a network to ask, what the strictest common one takes.
    public init(textRules: TextRules = .weighted(limit: 280)) {
        properties = NetworkProperties(name: "none", textRules: textRules)
    }

    public func followed() async throws(NetworkError) -> [Account] { [] }

    /// Leaves posting to the user.
    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        if Task.isCancelled { throw .cancelled }
        return nil
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {}

    public func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        ([], cursor)
    }
}
