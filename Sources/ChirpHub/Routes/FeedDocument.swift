internal import ChirpCommunity
internal import FoundationEssentials

/// Posts as JSON Feed 1.1 (jsonfeed.org/version/1.1), newest first, audio as attachments.
struct FeedDocument: Encodable {
    static let itemsPerPage = 50

    struct Author: Encodable {
        let name: String
        let url: String
    }
    struct Attachment: Encodable {
        let url: String
        let mime_type: String
        let title: String
        let size_in_bytes: Int64
        let duration_in_seconds: Double?
    }
    struct Hub: Encodable {
        let type = "WebSub"
        let url: String
    }
    struct Item: Encodable {
        let id: String
        let url: String?
        let external_url: String?
        let title: String?
        let content_text: String
        let date_published: Date
        let tags: [String]
        let authors: [Author]
        let attachments: [Attachment]?
    }

    let version = "https://jsonfeed.org/version/1.1"
    let title: String
    let home_page_url: String
    let feed_url: String
    let next_url: String?
    let language = "en"
    let hubs: [Hub]?
    let items: [Item]

    /// - Parameters:
    ///   - posts: newest first; one more than a page holds means that there is another page.
    ///   - before: the place in the feed that this page begins below; nil for the first page.
    init(channel: FeedChannel, posts: [HubPost], before: PageCursor?, links: HubLinks) {
        let shown = posts.prefix(Self.itemsPerPage)
        title = channel.title
        home_page_url = channel.page
        feed_url = channel.json + (before.map { "?before=\($0)" } ?? "")
        next_url = posts.count > shown.count ? shown.last.map { "\(channel.json)?before=\($0.sequence)" } : nil
        // A page further back is another document than the one that hubs are told of.
        hubs = before == nil ? channel.hub.map { [Hub(url: $0)] } : nil
        items = shown.map { post in
            Item(
                id: post.id, url: post.clip.map { links.page($0.id) },
                external_url: post.clip == nil && !post.link.isEmpty ? post.link : nil,
                title: post.clip?.displayTitle, content_text: post.text, date_published: post.created,
                tags: PostText.tags(in: post.text),
                authors: [Author(name: post.author.name, url: links.person(post.author))],
                attachments: post.clip.map { clip in
                    [
                        Attachment(
                            url: links.audio(clip.id), mime_type: clip.contentType, title: clip.displayTitle,
                            size_in_bytes: clip.bytes, duration_in_seconds: clip.sound?.seconds)
                    ]
                })
        }
    }
}
