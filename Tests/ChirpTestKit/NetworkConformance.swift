public import ChirpNetworks

/// What every ``Network`` that posts must do, as checks that any network's tests can run; see ``StoreConformance``.
public struct NetworkConformance: Sendable {
    public enum Check: String, CaseIterable, Sendable {
        case `the same key is the same post`
        case `another key is another post`
        case `a post comes back as it was written`
        case `a feed gives each post once, oldest first`
        case `an empty page keeps the place`
        case `removing twice succeeds`
        case `a cancelled task posts nothing`
    }

    /// A network, and the account that it posts as.
    public struct Subject: Sendable {
        public var network: any Network
        public var me: Account.ID
        public init(network: any Network, me: Account.ID) {
            self.network = network
            self.me = me
        }
    }

    private let make: @Sendable () async throws -> Subject

    /// - Parameter make: a new network without posts by the account.
    public init(make: @escaping @Sendable () async throws -> Subject) { self.make = make }

    /// What the network does wrong.
    public func violations(of check: Check) async throws -> [String] {
        let subject = try await make()
        switch check {
        case .`the same key is the same post`:
            let (a, b) = (try await subject.post("k1"), try await subject.post("k1"))
            let feed = try await subject.feed()
            return a != nil && a?.id == b?.id && feed.count == 1 ? [] : ["\(feed.count) posts"]
        case .`another key is another post`:
            let (a, b) = (try await subject.post("k1"), try await subject.post("k2"))
            return a != nil && b != nil && a?.id != b?.id ? [] : ["one post for two keys"]
        case .`a post comes back as it was written`: return try await subject.reading()
        case .`a feed gives each post once, oldest first`: return try await subject.paging()
        case .`an empty page keeps the place`: return try await subject.emptyPage()
        case .`removing twice succeeds`:
            guard let post = try await subject.post("k1") else { return ["no post"] }
            try await subject.network.remove(post.id)
            try await subject.network.remove(post.id)
            return try await subject.feed().isEmpty ? [] : ["the post is still there"]
        case .`a cancelled task posts nothing`: return try await subject.cancelled()
        }
    }
}

extension NetworkConformance.Subject {
    fileprivate func post(_ key: String) async throws -> Post? {
        let link = "https://clips.example/\(key)"
        let text = ShareText(words: "words of \(key)", link: link, rules: network.properties.textRules).text
        return try await network.publish(Draft(key: Draft.Key(key), text: text, link: link))
    }

    fileprivate func feed(after cursor: Cursor? = nil) async throws -> [Post] {
        try await network.posts(by: [me], after: cursor).posts
    }

    fileprivate func reading() async throws -> [String] {
        _ = try await post("k1")
        guard let found = try await feed().first else { return ["the feed is empty"] }
        var wrong: [String] = []
        if found.author.id != me { wrong.append("the author is \(found.author)") }
        if found.links != ["https://clips.example/k1"] { wrong.append("links: \(found.links)") }
        if !found.tags.contains(where: { $0.lowercased() == "chirp" }) { wrong.append("tags: \(found.tags)") }
        if !found.text.contains("words of k1") { wrong.append("text: \(found.text)") }
        return wrong
    }

    fileprivate func paging() async throws -> [String] {
        var made: [Post.ID] = []
        for key in ["k1", "k2"] { if let post = try await post(key) { made.append(post.id) } }
        let first = try await network.posts(by: [me], after: nil)
        if let post = try await post("k3") { made.append(post.id) }
        let second = try await network.posts(by: [me], after: first.next)
        let read = (first.posts + second.posts).map(\.id)
        let others = try await network.posts(by: [Account.ID("nobody")], after: nil).posts
        return (read == made ? [] : ["made \(made), read \(read)"]) + (others.isEmpty ? [] : ["posts by nobody"])
    }

    fileprivate func emptyPage() async throws -> [String] {
        _ = try await post("k1")
        let first = try await network.posts(by: [me], after: nil)
        let empty = try await network.posts(by: [me], after: first.next)
        _ = try await post("k2")
        let next = try await network.posts(by: [me], after: empty.next)
        return empty.posts.isEmpty && next.posts.count == 1 ? [] : ["\(empty.posts.count), then \(next.posts.count)"]
    }

    fileprivate func cancelled() async throws -> [String] {
        let network = network
        let task = Task { () -> NetworkError? in
            await untilCancelled()
            do throws(NetworkError) {
                _ = try await network.publish(Draft(key: Draft.Key("k"), text: "t https://a.example #Chirp", link: ""))
            } catch {
                return error
            }
            return nil
        }
        task.cancel()
        let found = await task.value
        let count = try await feed().count
        return found == .cancelled && count == 0 ? [] : ["\(found.map { "\($0)" } ?? "success"), \(count) posts"]
    }
}
