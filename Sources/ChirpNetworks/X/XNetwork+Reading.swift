internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

extension XNetwork {
    /// X takes this many characters of a query (apis.md 3.5).
    private static let queryLimit = 512
    /// Pages of one query that a call reads at most, of 100 posts.
    private static let maximumPages = 10
    /// Search lags behind posting and may deliver late: the last minute is asked for again, which costs nothing, since X charges
    /// for a post once a day.
    private static let overlap: Duration = .seconds(60)

    /// X gives no fewer posts than this a page (apis.md 3.5).
    private static let smallestPage = 10

    /// By search: posts with the tag and a link, of many authors in one query. Sees a week back at most.
    public func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        let place = cursor.flatMap { XCursor($0.text) }
        let horizon = Snowflake(at: client.pause.now().addingTimeInterval(-6.9 * 86_400))
        let since = place.map { $0.newest.earlier(by: Self.overlap) }.flatMap { $0 > horizon ? $0 : nil }
        var found: [Snowflake: Post] = [:]
        for query in Self.queries(for: accounts) {
            for post in try await search(query, since: since) {
                guard let id = Snowflake(post.id.text), place?.seen.contains(id) != true else { continue }
                if let place, id < place.newest.earlier(by: Self.overlap) { continue }
                found[id] = post
            }
        }
        let ids = found.keys.sorted()
        guard let newest = [place?.newest, ids.last].compactMap({ $0 }).max() else { return ([], cursor) }
        let edge = newest.earlier(by: Self.overlap)
        let seen = (place?.seen ?? []).union(ids).filter { $0 >= edge }
        return (ids.compactMap { found[$0] }, Cursor(XCursor(newest: newest, seen: seen).text))
    }

    /// As few queries as the length allows. Ids instead of names, since names change.
    static func queries(for accounts: [Account.ID]) -> [String] {
        let (head, tail) = ("\(ShareText.tag) has:links (", ") -is:retweet")
        var queries: [String] = []
        var names = ""
        for account in accounts
        where !account.text.isEmpty && account.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let name = "from:\(account.text)"
            let longer = names.isEmpty ? name : "\(names) OR \(name)"
            if head.count + longer.count + tail.count > queryLimit {
                queries.append(head + names + tail)
                names = name
            } else {
                names = longer
            }
        }
        return names.isEmpty ? queries : queries + [head + names + tail]
    }

    private func search(_ query: String, since: Snowflake?) async throws(NetworkError) -> [Post] {
        var found: [Post] = []
        var next: String?
        for _ in 0..<Self.maximumPages {
            // Never more than the budget covers, should every post be new and of an author who is new too.
            let most = min(100, try await affordable(Self.readPrice + Self.accountPrice) ?? 100)
            guard most >= Self.smallestPage else { throw try await overBudget(Self.readingWords) }
            var fields: [(name: String, value: String)] = [
                ("query", query), ("max_results", String(most)),
                ("tweet.fields", "created_at,author_id,entities,note_tweet"), ("expansions", "author_id"),
                ("user.fields", "username,name"),
            ]
            if let since { fields.append(("since_id", since.text)) }
            if let next { fields.append(("next_token", next)) }
            let page = try await client.get([XPost].self, client.address("tweets", "search", "recent", fields: fields))
            try await count(posts: page.data ?? [], accounts: page.includes?.users ?? [])
            let authors = Dictionary(
                (page.includes?.users ?? []).map { ($0.id, $0.account) }, uniquingKeysWith: { first, _ in first })
            for post in page.data ?? [] {
                guard let id = post.author_id else { continue }
                found.append(
                    post.post(by: authors[id] ?? Account(id: Account.ID(id), handle: id, displayName: id)))
            }
            next = page.meta?.next_token
            if next == nil { break }
        }
        return found
    }
}
