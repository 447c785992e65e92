internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

// What instances send, as far as Chirp looks at it. Other servers speak most of this, so nearly everything may be absent.

struct MastodonAccount: Decodable {
    let id: String
    let acct: String
    let display_name: String?

    /// Ids are local to the instance, and so is everything that refers to them.
    var account: Account {
        let name = PlainText(display_name ?? "", limit: 100).value
        let handle = PlainText(acct, limit: 200).value
        return Account(id: Account.ID(id), handle: handle, displayName: name.isEmpty ? handle : name)
    }
}

package struct MastodonStatus: Decodable {
    struct Tag: Decodable {
        let name: String
    }

    struct Media: Decodable {
        let type: String?
        let url: String?
        let remote_url: String?
    }

    /// Only whether there is one matters.
    struct Reblog: Decodable {}

    let id: String
    let account: MastodonAccount
    let created_at: String?
    let content: String?
    let url: String?
    let tags: [Tag]?
    let media_attachments: [Media]?
    let reblog: Reblog?
    /// Of a hub's own: it tells of something that whoever reads watches.
    let watched: Bool?

    var post: Post {
        let text = StatusHTML(content ?? "")
        let sound = (media_attachments ?? []).filter { $0.type == "audio" }.compactMap { $0.url ?? $0.remote_url }
        return Post(
            id: Post.ID(id), author: account.account, text: text.text, links: text.links,
            tags: (tags ?? []).map(\.name), url: url,
            created: created_at.flatMap { InstantText.parse($0) } ?? Date(timeIntervalSince1970: 0), audio: sound)
    }
}

/// `GET /api/v2/instance`, and v1, which has the same `configuration` since Mastodon 3.4.
struct MastodonInstance: Decodable {
    struct Configuration: Decodable {
        struct Statuses: Decodable {
            let max_characters: Int?
            let characters_reserved_per_url: Int?
        }
        struct Addresses: Decodable {
            let streaming: String?
        }
        let statuses: Statuses?
        let urls: Addresses?
    }
    let configuration: Configuration?
    /// Version 1 of some servers.
    let max_toot_chars: Int?

    /// Bounded, because a stranger says it.
    var textRules: TextRules {
        let limit = configuration?.statuses?.max_characters ?? max_toot_chars ?? 500
        let perLink = configuration?.statuses?.characters_reserved_per_url ?? 23
        return .characters(limit: min(max(limit, 1), 100_000), perLink: min(max(perLink, 0), 2048))
    }
}

struct MastodonRefusal: Decodable {
    let error: String?
    let error_description: String?
}
