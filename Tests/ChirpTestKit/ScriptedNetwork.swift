public import ChirpNetworks
internal import Synchronization

/// A network in front of another, whose posting fails as a script says; each failure is used once.
public final class ScriptedNetwork: Network {
    private let base: any Network
    private let before: Mutex<[NetworkError]>
    private let after: Mutex<[NetworkError]>

    /// - Parameters:
    ///   - before: failures before anything has happened.
    ///   - after: failures after the post was made: lost answers.
    public init(_ base: any Network, before: [NetworkError] = [], after: [NetworkError] = []) {
        self.base = base
        self.before = Mutex(before)
        self.after = Mutex(after)
    }

    public var properties: NetworkProperties { base.properties }

    public func textRules() async throws(NetworkError) -> TextRules { try await base.textRules() }
    public func admit() async throws(NetworkError) { try await base.admit() }
    public func page(for draft: Draft) -> String? { base.page(for: draft) }
    public func expire(_ id: Post.ID) async throws(NetworkError) { try await base.expire(id) }

    public func followed() async throws(NetworkError) -> [Account] { try await base.followed() }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        if let failure = before.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        let post = try await base.publish(draft)
        if let failure = after.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        return post
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) { try await base.remove(id) }

    public func posts(
        by accounts: [Account.ID], after cursor: Cursor?
    ) async throws(NetworkError) -> (posts: [Post], next: Cursor?) {
        try await base.posts(by: accounts, after: cursor)
    }
}
