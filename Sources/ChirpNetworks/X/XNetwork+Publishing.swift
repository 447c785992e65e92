internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

extension XNetwork {
    /// The page for posting by hand. It takes the text and asks the user to send it.
    private static let intentPage = "https://x.com/intent/post"

    public func page(for draft: Draft) -> String? {
        settings.mode == .intent ? Self.intentPage + "?" + PercentEncoding.form([("text", draft.text)]) : nil
    }

    /// In `link` mode: whether somebody is signed in and the month's budget covers one more post.
    public func admit() async throws(NetworkError) {
        guard settings.mode == .link else { return }
        _ = try await me()
        guard let limit = limit else { return }
        let spent = try await ledger.spent(on: properties.name, month: month)
        guard spent + Self.price <= limit else { throw overBudget(spent: spent, limit: limit) }
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
            draft.key, on: properties.name, month: month, amount: Self.price, limit: limit)
        guard isCovered else {
            throw overBudget(spent: try await ledger.spent(on: properties.name, month: month), limit: limit ?? 0)
        }
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
        return page.data?.first { $0.links.contains(draft.link) }?.post(by: me)
    }

    public func remove(_ id: Post.ID) async throws(NetworkError) {
        let response = try await client.send(HTTPRequest(.delete, client.address("tweets", id.text)))
        guard response.isSuccess || response.status == 404 else { throw client.refusal(response) }
    }

    // MARK: budget

    private static let price = Int64((postPriceUSD * 1_000_000).rounded())

    private var limit: Int64? {
        settings.monthlyBudgetUSD.map { Int64((min(max($0, 0), 1e9) * 1_000_000).rounded()) }
    }

    private var month: String { String(InstantText.format(client.pause.now()).prefix(7)) }

    private func overBudget(spent: Int64, limit: Int64) -> NetworkError {
        .overBudget(
            "a post costs \(Self.dollars(Self.price)), \(Self.dollars(spent)) of \(Self.dollars(limit)) are spent in \(month)"
        )
    }

    private static func dollars(_ amount: Int64) -> String {
        let cents = amount / 10_000
        return "$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}
