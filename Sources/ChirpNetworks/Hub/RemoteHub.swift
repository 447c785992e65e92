internal import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials

/// A hub on another machine, as `chirp serve` shows it: its feed can be listened to, and nothing can be posted. Of its board Lost & Found
/// the new spoken listings of an area can be listened to in the same way, as if somebody posted them.
public struct RemoteHub: Network {
    public let properties: NetworkProperties
    let root: WebAddress
    private let transport: any HTTPTransport
    private let pause: Sleeper
    private let area: ListingArea?

    /// A hub says something every 15 s at least.
    private static let silence = Duration.seconds(45)
    /// Posts of one answer, and answers that one call reads at most. What is left comes with the next call.
    private static let page = 200
    private static let maximumPages = 10
    /// Of accounts, of which a page has 1,000: a hub that always names a next one ends here.
    private static let maximumAccountPages = 200

    /// - Parameters:
    ///   - root: where it is served, such as `http://studio.local:4747`; the host is also the network's name.
    ///   - transport: repeats what may be repeated. It must be allowed to go there.
    ///   - area: nil is the hub's feed; otherwise the spoken listings there.
    public init(root: WebAddress, transport: any HTTPTransport, pause: Sleeper = .real, area: ListingArea? = nil) {
        self.root = root
        self.transport = transport
        self.pause = pause
        self.area = area
        // Each area is read up to a place of its own.
        let name = area.map { "near \($0.point) \($0.distance) at \(root.host)" } ?? root.host
        properties = NetworkProperties(name: name, textRules: .characters(limit: 1000, perLink: 23))
    }

    public func followed() async throws(NetworkError) -> [Account] {
        if let area { return [Self.account(of: area)] }
        let list = root.appending("api", "v1", "accounts")
        var page = try await get(Accounts.self, list)
        var found = page.accounts
        for _ in 0..<Self.maximumAccountPages {
            guard let next = page.next else { return found.map(\.account) }
            page = try await get(Accounts.self, list.adding(["after": next]))
            found += page.accounts
        }
        throw .refused(status: 200, detail: "\(root.host) tells of more accounts than are read")
    }

    public func publish(_ draft: Draft) async throws(NetworkError) -> Post? { throw .unsupported("be posted to") }

    public func remove(_ id: Post.ID) async throws(NetworkError) { throw .unsupported("be posted to") }

    public func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
        posts: [Post], next: Cursor?
    ) {
        let chosen = Set(accounts)
        var place = cursor.flatMap { Int64($0.text) } ?? 0
        var found: [Post] = []
        for _ in 0..<Self.maximumPages {
            let page = try await get(Page.self, feed.adding(["after": "\(place)", "limit": "\(Self.page)"]))
            found += page.posts.map(post).filter { chosen.contains($0.author.id) }
            let isLast = page.posts.count < Self.page || page.next <= place
            place = max(place, page.next)
            if isLast { break }
        }
        return (found, Cursor("\(place)"))
    }

    private var feed: WebAddress {
        guard let area else { return root.appending("api", "v1", "posts") }
        return root.appending("api", "hub", "v1", "lost-and-found", "spoken")
            .adding(["at": area.point, "within": "\(Int(area.radius.rounded()))"])
    }

    /// What is posted in an area is its account's, whoever spoke: that one is chosen.
    private func post(_ document: Document) -> Post {
        let post = document.post(of: root)
        guard let area else { return post }
        return Post(
            id: post.id, author: Self.account(of: area),
            text: "New within \(area.distance), by @\(post.author.handle): \(post.text)", links: post.links,
            tags: post.tags, url: post.url, created: post.created, audio: post.audio)
    }

    private static func account(of area: ListingArea) -> Account {
        Account(
            id: Account.ID("near:\(area.point):\(Int(area.radius.rounded()))"), handle: "near",
            displayName: "New within \(area.distance) of \(area.point)")
    }

    /// Says when ``posts(by:after:)`` is worth calling; see ``FeedSignals``.
    ///
    /// - Parameter polling: between looks while there is no event stream.
    public func arrivals(polling: Duration = .seconds(2)) -> FeedSignals {
        FeedSignals(
            host: root.host, polling: polling, pause: pause,
            connect: { [self] (last) async throws(NetworkError) in
                var request = HTTPRequest(
                    .get, root.appending("api", "v1", "events"), headers: ["Accept": "text/event-stream"])
                if !last.isEmpty { request.headers["Last-Event-ID"] = last }
                return try await transport.events(request, silence: Self.silence, now: pause.now())
            },
            isNews: { $0.name == "post" })
    }

    func get<T: Decodable>(_ type: T.Type, _ address: WebAddress) async throws(NetworkError) -> T {
        let response: HTTPResponse
        do throws(HTTPError) { response = try await transport.send(HTTPRequest(.get, address)) } catch {
            throw NetworkError(error)
        }
        guard response.isSuccess, let value = response.json(type) else {
            if response.status == 429 || response.status >= 500 {
                throw .busy(retryAfter: response.retryAfter(now: pause.now()))
            }
            throw .refused(status: response.status, detail: "\(root.host) does not answer as a hub does")
        }
        return value
    }

    // MARK: what a hub sends

    struct Accounts: Decodable {
        let accounts: [Author]
        /// The handle behind which the next page begins; none with the last one.
        let next: String?
    }

    package struct Page: Decodable {
        let posts: [Document]
        let next: Int64
    }

    struct Author: Decodable {
        let id: String
        let handle: String
        let name: String?

        var account: Account {
            let handle = PlainText(handle, limit: 200).value
            let name = PlainText(name ?? "", limit: 100).value
            return Account(id: Account.ID(id), handle: handle, displayName: name.isEmpty ? handle : name)
        }
    }

    struct Document: Decodable {
        struct Clip: Decodable {
            let id: String
        }

        let id: String
        let account: Author
        let text: String
        let link: String?
        let tags: [String]?
        let created: String?
        let clip: Clip?

        /// A hub's own links begin with its public address, which may be another one than leads there from here; its clips are
        /// where the hub is.
        func post(of root: WebAddress) -> Post {
            let page = clip.map { root.appending("c", $0.id).text }
            var text = text
            if let page, let link, !link.isEmpty { text = text.replacing(link, with: page, maxReplacements: 10) }
            return Post(
                id: Post.ID(id), author: account.account, text: text,
                links: [page ?? link ?? ""].filter { !$0.isEmpty },
                tags: tags ?? [], url: page,
                created: created.flatMap { InstantText.parse($0) } ?? Date(timeIntervalSince1970: 0))
        }
    }
}
