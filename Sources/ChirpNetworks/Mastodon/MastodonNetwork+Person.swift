internal import ChirpCore
internal import ChirpHTTP

/// One person, as a screen shows her: text posts and messages too.
extension MastodonNetwork: PersonNetwork {
    private struct Face: Decodable {
        let id, acct: String
        let display_name: String?
        let avatar_static, avatar: String?

        var friend: Friend {
            let found = MastodonAccount(id: id, acct: acct, display_name: display_name).account
            return Friend(account: found, picture: avatar ?? avatar_static)
        }
    }

    private struct Conversation: Decodable {
        let last_status: MastodonStatus?
    }

    /// Pages of one person's posts that one call reads at most, of 40 each. What is left comes with the next call.
    private static let mostPages = 5
    private static let longestCursor = 200

    /// A page of those whom the account follows, in the instance's order.
    ///
    /// - Parameter page: what the page before led on to, without the instance's address; nil: from the beginning.
    package func friends(page: String?) async throws(NetworkError) -> (friends: [Friend], next: String?) {
        let me = try await me()
        var address = client.address("v1", "accounts", me.id.text, "following", fields: ["limit": "80"])
        if let page { address = address.adding(["max_id": page]) }
        let response = try await client.send(HTTPRequest(.get, address))
        let friends = try client.decoded([Face].self, response).map(\.friend)
        let next = LinkHeader.address("next", in: response, of: address)?.field("max_id")
        return (friends, next)
    }

    /// What somebody has posted behind a place, oldest first; without a place the newest page.
    package func posts(
        of person: Account.ID, after cursor: String?
    ) async throws(NetworkError) -> (posts: [Post], next: String?) {
        var found: [MastodonStatus] = []
        var last = cursor
        for _ in 0..<Self.mostPages {
            var page = client.address(
                "v1", "accounts", person.text, "statuses", fields: ["limit": "40", "exclude_reblogs": "true"])
            if let last { page = page.adding(["min_id": last]) }
            let statuses = try await client.get([MastodonStatus].self, HTTPRequest(.get, page))
                .filter { $0.id.utf8.count <= Self.longestCursor }
            let newest = statuses.map(\.id).max { Self.isOlder($0, than: $1) }
            guard let newest, last.map({ Self.isOlder($0, than: newest) }) ?? true else { break }
            found += statuses.filter { status in last.map { Self.isOlder($0, than: status.id) } ?? true }
                .sorted { Self.isOlder($0.id, than: $1.id) }
            let isFirst = last == nil
            last = newest
            if isFirst || statuses.count < 40 { break }
        }
        return (found.filter { $0.reblog == nil }.map(\.post), last)
    }

    /// The newest message of each conversation with somebody, behind a place, oldest first. Instances say no more of a conversation.
    package func messages(
        from person: Account.ID, after cursor: String?
    ) async throws(NetworkError) -> (posts: [Post], next: String?) {
        let page = client.address("v1", "conversations", fields: ["limit": "40"])
        let statuses = try await client.get([Conversation].self, HTTPRequest(.get, page)).compactMap(\.last_status)
            .filter { $0.id.utf8.count <= Self.longestCursor }
        let new = statuses.filter { status in
            status.account.id == person.text && (cursor.map { Self.isOlder($0, than: status.id) } ?? true)
        }.sorted { Self.isOlder($0.id, than: $1.id) }
        return (new.map(\.post), new.last?.id ?? cursor)
    }

    /// Says when looking at a person is worth it: by the user's event stream, and by the clock while there is none.
    ///
    /// - Parameters:
    ///   - polling: between looks while there is no stream.
    ///   - checking: between looks while there is one.
    package func signals(polling: Duration, checking: Duration) -> FeedSignals {
        var signals = FeedSignals(
            host: client.instance.host, polling: polling, pause: client.pause,
            connect: { [self] (_) async throws(NetworkError) in try await openStream() },
            isNews: { ["update", "notification", "conversation", "status.update", "delete"].contains($0.name) })
        signals.checking = checking
        return signals
    }
}
