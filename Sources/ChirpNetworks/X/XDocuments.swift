internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

// What X sends, as far as Chirp looks at it (apis.md 3.4 and 3.7). Documents name things `tweet` or `post`: both are read.

struct XUser: Decodable {
    let id: String
    let username: String?
    let name: String?

    var account: Account {
        let handle = PlainText(username ?? id, limit: 100).value
        return Account(
            id: Account.ID(id), handle: handle, displayName: PlainText(name ?? handle, limit: 100).value)
    }
}

package struct XPost: Decodable {
    struct Entities: Decodable {
        struct Address: Decodable {
            let url: String?
            let expanded_url: String?
            let unwound_url: String?
        }
        struct Tag: Decodable {
            let tag: String?
        }
        let urls: [Address]?
        let hashtags: [Tag]?
    }

    /// The whole of a post longer than 280.
    struct Note: Decodable {
        let text: String?
        let entities: Entities?
    }

    let id: String
    let text: String?
    let author_id: String?
    let created_at: String?
    let entities: Entities?
    let note_tweet: Note?
    let note_post: Note?

    private var note: Note? { note_tweet ?? note_post }
    private var wholeEntities: Entities? { note?.entities ?? entities }

    /// More links of one post are not looked at; X's own limit is far below.
    private static let mostLinks = 100
    private var addresses: ArraySlice<Entities.Address> { (wholeEntities?.urls ?? []).prefix(Self.mostLinks) }

    /// Every link as it was before X shortened it: where it leads in the end, and as it was written, since a page that wants to be
    /// signed in to sends X elsewhere than people.
    var links: [String] {
        addresses.flatMap { address in
            let long = [address.unwound_url, address.expanded_url].compactMap { $0 }
            return long.isEmpty ? [address.url].compactMap { $0 } : long.first == long.last ? [long[0]] : long
        }
    }

    /// Whether a link of the post is this one, in any of the forms that X tells.
    func hasLink(_ link: String) -> Bool {
        addresses.contains { [$0.unwound_url, $0.expanded_url, $0.url].contains(link) }
    }

    func post(by author: Account) -> Post {
        var text = note?.text ?? text ?? ""
        for address in addresses {
            guard let short = address.url, let long = address.expanded_url, !short.isEmpty else { continue }
            // Bounded, because both come from outside: a short one replaced everywhere by a long one could fill the memory.
            text = text.replacing(short, with: long.prefix(8192), maxReplacements: 4)
        }
        text = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        return Post(
            id: Post.ID(id), author: author, text: text, links: links,
            tags: (wholeEntities?.hashtags ?? []).compactMap(\.tag), url: XNetwork.page(of: id, by: author),
            created: created_at.flatMap { InstantText.parse($0) } ?? Date(timeIntervalSince1970: 0))
    }
}

/// Any answer: one thing or a page of them.
package struct XAnswer<Content: Decodable>: Decodable {
    struct Includes: Decodable {
        let users: [XUser]?
    }
    struct Meta: Decodable {
        let next_token: String?
    }
    /// Absent, not empty, when nothing matched.
    let data: Content?
    let includes: Includes?
    let meta: Meta?
}

/// A refusal (RFC 9457), or the older form of it.
struct XProblem: Decodable {
    struct Older: Decodable {
        let message: String?
    }
    let title: String?
    let detail: String?
    let type: String?
    let reason: String?
    let errors: [Older]?

    /// The last part of the type, which is what stays the same: `usage-capped`, `client-not-enrolled`.
    var kind: String { type?.split(separator: "/").last.map(String.init) ?? "" }

    var words: String { detail ?? title ?? errors?.first?.message ?? "" }
}
