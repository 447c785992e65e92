public import ChirpNetworks
public import FoundationEssentials
internal import Synchronization

/// The reference network: posts in memory, gone with the process.
public final class MemoryNetwork: Network {
    private struct State {
        var entries: [(key: Draft.Key?, post: Post)] = []
        /// Posts before the first entry, which are no longer kept.
        var forgotten = 0
        /// By their numbers.
        var removed: Set<Int> = []
        var attempts = 0

        var visible: [(number: Int, post: Post)] {
            entries.enumerated().map { (forgotten + $0.offset, $0.element.post) }.filter { !removed.contains($0.0) }
        }
    }

    public let properties: NetworkProperties
    private let me: Account
    private let friends: [Account]
    private let now: @Sendable () -> Date
    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: how many posts are kept; the oldest make room for new ones.
    public init(
        name: String = "memory", textRules: TextRules = .characters(limit: 500, perLink: 23),
        me: Account = Account(id: Account.ID("1"), handle: "me", displayName: "Me"), friends: [Account] = [],
        most: Int = .max, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        properties = NetworkProperties(name: name, textRules: textRules)
        self.me = me
        self.friends = friends
        self.most = most
        self.now = now
    }

    /// The posts that are there, oldest first.
    public var posts: [Post] { state.withLock { $0.visible.map(\.post) } }

    /// How often ``publish(_:)`` was called.
    public var attempts: Int { state.withLock { $0.attempts } }

    public func followed() async throws(NetworkError) -> [Account] {
        if Task.isCancelled { throw .cancelled }
        return friends
    }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        if Task.isCancelled { throw .cancelled }
        let size = properties.textRules.count(draft.text)
        guard size <= properties.textRules.limit else {
            throw .refused(
                status: 422, detail: "the text counts \(size), at most \(properties.textRules.limit) is allowed")
        }
        return state.withLock { state in
            state.attempts += 1
            if let known = state.entries.first(where: { $0.key == draft.key }) { return known.post }
            return append(
                by: me, text: draft.text, link: draft.link, key: draft.key, created: now(), to: &state)
        }
    }

    /// Somebody else posts something.
    @discardableResult
    public func receive(_ text: String, link: String?, by author: Account) -> Post {
        state.withLock { append(by: author, text: text, link: link, key: nil, created: now(), to: &$0) }
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {
        if Task.isCancelled { throw .cancelled }
        state.withLock { state in
            if let found = state.visible.first(where: { $0.post.id == id }) { state.removed.insert(found.number) }
        }
    }

    /// The cursor is the number of posts already seen; removed ones keep their number.
    public func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        if Task.isCancelled { throw .cancelled }
        return state.withLock { state in
            let first = cursor.flatMap { Int($0.text) } ?? 0
            let found = state.visible.filter { $0.number >= first && accounts.contains($0.post.author.id) }.map(\.post)
            return (found, Cursor(String(state.forgotten + state.entries.count)))
        }
    }

    private func append(
        by author: Account, text: String, link: String?, key: Draft.Key?, created: Date, to state: inout State
    ) -> Post {
        let tags = text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("#") }.map {
            String($0.dropFirst())
        }
        let number = state.forgotten + state.entries.count + 1
        let post = Post(
            id: Post.ID("post-\(number)"), author: author, text: text, links: link.map { [$0] } ?? [],
            tags: tags, url: "https://social.example/post-\(number)", created: created)
        state.entries.append((key, post))
        if state.entries.count > most {
            state.entries.removeFirst()
            state.forgotten += 1
        }
        return post
    }
}
