internal import ChirpCommunity
internal import FoundationEssentials

/// Items as JSON Feed 1.1 (jsonfeed.org/version/1.1), newest first, what is said in them as attachments.
struct ItemFeed: Encodable {
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

    init(_ items: [Item], title: String, address: String, home: String, links: HubLinks) {
        self.title = title
        home_page_url = home
        feed_url = address
        self.items = items.map { item in
            let place = item.place?.name ?? ""
            return Entry(
                id: item.id.text, url: "\(links.publicURL)/\(item.board)/\(item.id)", title: item.title,
                content_text: [item.text, place].filter { !$0.isEmpty }.joined(separator: "\n"),
                date_published: item.created, tags: [item.kind, item.category] + item.tags,
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
