internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// New listings of an area for programs that follow them: feed readers, and `chirp live`, which plays what is said in them.
struct ListingFeedRoutes {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    private static let perPage = 50
    /// The newest listings that are looked through for spoken ones: so many at once, and so often.
    private static let (most, pages): (Int, Int) = (100, 10)
    private static let area: [WebField] = [
        .text("at", "latitude,longitude"), .number("within", "metres, from 100 to 250,000"),
    ]

    var routes: [WebRoute] {
        [
            .get("\(ListingDesk.path)/feed.json") { request, context in
                let query = try query(request)
                let found = try await desk.store.listings(query, for: .visitor).found
                let feed = ListingFeed(
                    found, address: "\(desk.links.publicURL)\(request.uri.description)", links: desk.links)
                return .document(
                    try WebJSON.encode(feed), type: "application/feed+json; charset=utf-8", to: request)
            },
            .api(
                .get, "\(ListingDesk.api)/spoken", .everybody,
                summary: "New listings of an area in which somebody speaks, in the form of posts, oldest first",
                query: Self.area + [
                    .number("after", "what the answer before named as next"), .number("limit", "from 1 to 200"),
                ]
            ) { request, _ in
                let after = try request.number("after", in: 0...Int64.max) ?? 0
                let limit = Int(try request.number("limit", in: 1...200) ?? 50)
                var query = try query(request)
                query.limit = Self.most
                var (spoken, newest): ([Listing], Int64) = ([], after)
                for _ in 0..<Self.pages {
                    let (found, next) = try await desk.store.listings(query, for: .visitor)
                    newest = max(newest, found.first?.item.sequence ?? 0)
                    let new = found.filter { $0.item.sequence > after }
                    spoken += new.filter { $0.item.clip != nil }
                    guard new.count == found.count, let next else { break }
                    query.after = next
                }
                let page = spoken.reversed().prefix(limit)
                let isLast = page.count == spoken.count
                return try .json(
                    SpokenPage(
                        posts: page.map { SpokenPage.Post($0, links: desk.links) },
                        next: isLast ? newest : page.last?.item.sequence ?? newest))
            },
        ]
    }

    /// What a request asks for: an area, or everywhere when none is named; a side and a category too.
    ///
    /// - Throws: 400 for what is no place or no distance.
    private func query(_ request: Request) throws -> ItemQuery {
        let asked = request.asked
        var query = ItemQuery(board: ListingStore.board)
        query.limit = Self.perPage
        if let side = asked["side"].flatMap(Listing.Side.init) { query.kinds = [side.rawValue] }
        query.category = asked["category"].flatMap(Listing.Category.init)?.rawValue
        guard let at = asked["at"] else { return query }
        let metres = try request.number("within", in: 100...250_000) ?? 2000
        guard let point = TypedPlace.point(at) else { throw HTTPError(.badRequest) }
        query.area = .circle(point, radius: Double(metres))
        return query
    }
}

/// Spoken listings as a hub's API has posts, so that what follows the one follows the other.
private struct SpokenPage: Encodable {
    let posts: [Post]
    /// What to give as `after` next time.
    let next: Int64

    struct Post: Encodable {
        struct Account: Encodable {
            let id: AccountID
            let handle, name: String
        }
        struct Clip: Encodable {
            let id, page, audio, title: String
            let seconds: Double?
        }

        let seq: Int64
        let id, text, link: String
        let account: Account
        let tags: [String]
        let created: Date
        let clip: Clip?

        init(_ listing: Listing, links: HubLinks) {
            let item = listing.item
            seq = item.sequence
            id = item.id.text
            link = "\(links.publicURL)\(ListingDesk.path)/\(item.id)"
            text = "\(item.title) \(link)"
            account = Account(id: item.author.id, handle: item.author.handle, name: item.author.name)
            // What live listening asks of a post.
            tags = ["chirp", listing.side.rawValue, item.category]
            created = item.created
            clip = item.clip.map {
                Clip(
                    id: $0.id.text, page: links.page($0.id), audio: links.audio($0.id), title: item.title,
                    seconds: $0.sound?.seconds)
            }
        }
    }
}

/// Listings as JSON Feed 1.1 (jsonfeed.org/version/1.1), newest first, what is said in them as attachments.
private struct ListingFeed: Encodable {
    struct Author: Encodable { let name, url: String }
    struct Attachment: Encodable {
        let url, mime_type, title: String
        let size_in_bytes: Int64
        let duration_in_seconds: Double?
    }
    struct Entry: Encodable {
        let id, url, title, content_text: String
        let date_published: Date
        let tags: [String]
        let authors: [Author]
        let attachments: [Attachment]?
    }

    let version = "https://jsonfeed.org/version/1.1"
    let title: String
    let home_page_url: String
    let feed_url: String
    let items: [Entry]

    init(_ listings: [Listing], address: String, links: HubLinks) {
        title = word("listing.board")
        home_page_url = "\(links.publicURL)\(ListingDesk.path)"
        feed_url = address
        items = listings.map { listing in
            let item = listing.item
            let place = item.place?.name ?? ""
            return Entry(
                id: item.id.text, url: "\(links.publicURL)\(ListingDesk.path)/\(item.id)", title: item.title,
                content_text: [item.text, place].filter { !$0.isEmpty }.joined(separator: "\n"),
                date_published: item.created, tags: [listing.side.rawValue, item.category] + item.tags,
                authors: [Author(name: item.author.name, url: links.person(item.author))],
                attachments: item.clip.map { clip in
                    [
                        Attachment(
                            url: links.audio(clip.id), mime_type: clip.contentType, title: item.title,
                            size_in_bytes: clip.bytes, duration_in_seconds: clip.sound?.seconds)
                    ]
                })
        }
    }
}
