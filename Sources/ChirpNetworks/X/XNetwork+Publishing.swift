internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

extension XNetwork {
    /// The page for posting by hand. It takes the text and asks the user to send it.
    private static let intentPage = "https://x.com/intent/post"

    public func page(for draft: Draft) -> String? {
        settings.mode == .intent ? Self.intentPage + "?" + PercentEncoding.form([("text", draft.text)]) : nil
    }

    /// In `link` mode: whether the sign-in still holds and the month's budget covers one more post.
    public func admit() async throws(NetworkError) {
        guard settings.mode == .link else { return }
        do throws(HTTPError) { try await renewSignIn() } catch { throw NetworkError(error) }
        _ = try await me()
        try await afford(Self.postPrice, for: Self.postWords)
    }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? {
        if Task.isCancelled { throw .cancelled }
        let count = properties.textRules.count(draft.text)
        guard count <= properties.textRules.limit else {
            throw .refused(
                status: 400, detail: "the text counts \(count), at most \(properties.textRules.limit) is allowed")
        }
        guard settings.mode == .link else { return nil }
        let me = try await me()
        // Written down first: a post that is sent and not counted would cost unnoticed.
        let isCovered = try await ledger.reserve(
            draft.key, on: properties.name, month: month, amount: Self.postPrice, limit: limit)
        guard isCovered else { throw try await overBudget(Self.postWords) }
        if draft.isRepetition, let found = try await posted(draft, by: me, among: 10) { return found }
        return try await send(draft, by: me)
    }

    private struct NewPost: Encodable {
        let text: String
    }

    private func send(_ draft: Draft, by me: Account) async throws(NetworkError) -> Post {
        let request = HTTPRequest(.post, client.address("tweets"), json: NewPost(text: draft.text))
        let response = try await client.send(request)
        if response.isSuccess, let made = try client.decoded(XPost.self, response).data {
            return Post(
                id: Post.ID(made.id), author: me, text: draft.text, links: [draft.link],
                url: Self.page(of: made.id, by: me), created: client.pause.now())
        }
        // The same text again: an earlier answer was lost, and the post is there already.
        if response.status == 403, response.text.lowercased().contains("duplicate"),
            let found = try await posted(draft, by: me, among: 100)
        {
            return found
        }
        try await ledger.release(draft.key)
        throw client.refusal(response)
    }

    /// The post of an earlier attempt, among the newest of the account. Without a link there is nothing to know it by.
    private func posted(_ draft: Draft, by me: Account, among count: Int) async throws(NetworkError) -> Post? {
        guard !draft.link.isEmpty else { return nil }
        let fields: [(name: String, value: String)] = [
            ("max_results", String(count)), ("tweet.fields", "created_at,author_id,entities,note_tweet"),
        ]
        let page = try await client.get([XPost].self, client.address("users", me.id.text, "tweets", fields: fields))
        // Not refused for the budget: it keeps a post from being paid twice.
        try await self.count(own: page.data ?? [])
        return page.data?.first { $0.hasLink(draft.link) }?.post(by: me)
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {
        let response = try await client.send(HTTPRequest(.delete, client.address("tweets", id.text)))
        guard response.isSuccess || response.status == 404 else { throw client.refusal(response) }
    }
}
