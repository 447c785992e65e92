internal import ChirpHTTP

extension MastodonNetwork {
    /// Pages of the home timeline that one call reads at most, of 40 posts each. What is left comes with the next call.
    private static let maximumPages = 25
    /// An id becomes part of addresses and of the cursor; those of all servers are far shorter.
    private static let longestID = 200

    /// From the home timeline, which has the posts of everybody one follows and one's own. Walks forward from the cursor by
    /// `min_id`, so that no post is skipped however many there are.
    public func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        let chosen = Set(accounts)
        var found: [MastodonStatus] = []
        var last = cursor?.text
        for _ in 0..<Self.maximumPages {
            var page = client.address("v1", "timelines", "home", fields: ["limit": "40"])
            if let last { page = page.adding(["min_id": last]) }
            let statuses = try await client.get([MastodonStatus].self, HTTPRequest(.get, page))
                .filter { $0.id.utf8.count <= Self.longestID }
            let newest = statuses.map(\.id).max { Self.isOlder($0, than: $1) }
            guard let newest, last.map({ Self.isOlder($0, than: newest) }) ?? true else { break }
            found += statuses.sorted { Self.isOlder($0.id, than: $1.id) }
            let isFirst = last == nil
            last = newest
            // Without a place to walk from, the newest page is where listening begins.
            if isFirst { break }
        }
        let posts = found.filter { $0.reblog == nil }.compactMap { status -> Post? in
            let post = status.post
            if status.watched == true, chosen.contains(Account.watched.id) { return post.asWatched(unlessBy: chosen) }
            return chosen.contains(post.author.id) ? post : nil
        }
        return (posts, last.map { Cursor($0) } ?? cursor)
    }

    /// Ids are not promised to be numbers: by length, then as text (apis.md 4.4).
    static func isOlder(_ a: String, than b: String) -> Bool { (a.utf8.count, a) < (b.utf8.count, b) }
}
