internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// One person, as a screen shows her. The most that an answer can cost is set aside before X is asked, so that several readers at once,
/// or a death between question and count, cannot spend more than the budget.
extension XNetwork: PersonNetwork {
    /// An event of a conversation; `dm_event.fields` asks for them.
    private struct Event: Decodable {
        let id: String
        let text: String?
        let sender_id: String?
        let created_at: String?
    }

    private struct Face: Decodable {
        let id: String
        let username, name, profile_image_url: String?
    }

    /// X gives no fewer posts of one person than this a page (apis.md 3.4).
    private static let fewestPosts = 5
    /// Pages that one look reads at most.
    private static let mostPages = 5
    /// Accounts of a page: as much is set aside for them before they come.
    private static let friendsPage = 100
    /// A message of a conversation.
    static let messagePrice: Int64 = 10_000
    /// What one look costs that finds no more than X gives at least: what screens are paced by.
    package static let lookPrice = Int64(fewestPosts) * readPrice + messagePrice

    /// The account that is signed in, within the budget.
    package func signedIn() async throws(NetworkError) -> Account {
        try await setAside(Self.accountPrice) { () throws(NetworkError) in try await me() }
    }

    package func friends(page: String?) async throws(NetworkError) -> (friends: [Friend], next: String?) {
        let me = try await me()
        let most = min(Self.friendsPage, try await affordable(Self.accountPrice) ?? Self.friendsPage)
        guard most > 0 else { throw try await overBudget(Self.readingWords) }
        var fields: [(name: String, value: String)] = [
            ("max_results", String(most)), ("user.fields", "name,username,profile_image_url"),
        ]
        if let page { fields.append(("pagination_token", page)) }
        let address = client.address("users", me.id.text, "following", fields: fields)
        let answer = try await setAside(Int64(most) * Self.accountPrice) { () throws(NetworkError) in
            let answer = try await client.get([Face].self, address)
            try await count(
                accounts: (answer.data ?? []).map { XUser(id: $0.id, username: $0.username, name: $0.name) })
            return answer
        }
        let friends = (answer.data ?? []).map { face in
            Friend(
                account: XUser(id: face.id, username: face.username, name: face.name).account,
                // Without this piece of its name a picture comes as it was given.
                picture: face.profile_image_url?.replacing("_normal.", with: "."))
        }
        return (friends, answer.meta?.next_token)
    }

    package func posts(
        of person: Account.ID, after cursor: String?
    ) async throws(NetworkError) -> (posts: [Post], next: String?) {
        let since = cursor.flatMap { Snowflake($0) }.flatMap { $0.value > 0 ? $0 : nil }
        var found: [Snowflake: XPost] = [:]
        var next: String?
        for page in 0..<Self.mostPages {
            // Of what lies behind, the first look shows as little as X gives.
            let wished = since == nil ? Self.fewestPosts : 100
            let most = min(wished, try await affordable(Self.readPrice) ?? wished)
            guard most >= Self.fewestPosts else {
                // What has come and was paid is shown.
                if page > 0 { break }
                throw try await overBudget(Self.readingWords)
            }
            var fields: [(name: String, value: String)] = [
                ("max_results", String(most)), ("exclude", "retweets"),
                ("tweet.fields", "created_at,author_id,entities,note_tweet"),
            ]
            if let since { fields.append(("since_id", since.text)) }
            if let next { fields.append(("pagination_token", next)) }
            let address = client.address("users", person.text, "tweets", fields: fields)
            let answer = try await setAside(Int64(most) * Self.readPrice) { () throws(NetworkError) in
                let answer = try await client.get([XPost].self, address)
                try await count(posts: answer.data ?? [])
                return answer
            }
            for post in answer.data ?? [] {
                guard let id = Snowflake(post.id), since.map({ id > $0 }) ?? true else { continue }
                found[id] = post
            }
            next = answer.meta?.next_token
            if next == nil || since == nil { break }
        }
        let ids = found.keys.sorted()
        let author = Account(id: person, handle: person.text, displayName: "")
        return (ids.compactMap { found[$0]?.post(by: author) }, ids.last?.text ?? cursor)
    }

    /// Of the conversation with somebody. Its newest event alone is asked for until there is a new one, since each that is read costs.
    package func messages(
        from person: Account.ID, after cursor: String?
    ) async throws(NetworkError) -> (posts: [Post], next: String?) {
        let place = cursor.flatMap { Snowflake($0) } ?? Snowflake(at: Date(timeIntervalSince1970: 0))
        var found: [Snowflake: Event] = [:]
        var next: String?
        pages: for page in 0..<Self.mostPages {
            let wished = page == 0 ? 1 : 10
            let most = min(wished, try await affordable(Self.messagePrice) ?? wished)
            guard most > 0 else {
                if page > 0 { break }
                throw try await overBudget(Self.readingWords)
            }
            var fields: [(name: String, value: String)] = [
                ("max_results", String(most)), ("event_types", "MessageCreate"),
                ("dm_event.fields", "id,text,sender_id,created_at"),
            ]
            if let next { fields.append(("pagination_token", next)) }
            let address = client.address("dm_conversations", "with", person.text, "dm_events", fields: fields)
            let answer = try await setAside(Int64(most) * Self.messagePrice) { () throws(NetworkError) in
                let answer = try await client.get([Event].self, address)
                try await count(messages: (answer.data ?? []).map(\.id))
                return answer
            }
            for event in answer.data ?? [] {
                guard let id = Snowflake(event.id) else { continue }
                guard id > place else { break pages }
                found[id] = event
            }
            next = answer.meta?.next_token
            // Before the frame there was more than need be known.
            if next == nil || cursor == nil { break }
        }
        let ids = found.keys.sorted()
        let author = Account(id: person, handle: person.text, displayName: "")
        let posts = ids.compactMap { found[$0] }.filter { $0.sender_id == person.text }.map { event in
            Post(
                id: Post.ID(event.id), author: author, text: event.text ?? "", links: [],
                created: event.created_at.flatMap { InstantText.parse($0) } ?? client.pause.now())
        }
        return (posts, ids.last?.text ?? cursor)
    }

    /// What the month has cost, in millionths of a US dollar.
    package func spentThisMonth() async throws(NetworkError) -> Int64 {
        try await ledger.spent(on: properties.name, month: month)
    }

    /// Asks while the money for the answer is set aside; what it has cost is counted meanwhile.
    private func setAside<T>(
        _ amount: Int64, _ ask: () async throws(NetworkError) -> T
    ) async throws(NetworkError) -> T {
        let key = Draft.Key("held-\(RandomName(length: 16))")
        guard try await ledger.reserve(key, on: properties.name, month: month, amount: amount, limit: limit) else {
            throw try await overBudget(Self.readingWords)
        }
        let answer: Result<T, NetworkError>
        do throws(NetworkError) { answer = .success(try await ask()) } catch { answer = .failure(error) }
        try await ledger.release(key)
        return try answer.get()
    }
}
