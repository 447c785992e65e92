internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials

/// Spoken items as a hub's API has posts, so that what follows the one follows the other.
struct SpokenItems: Encodable {
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

        init(_ item: Item, links: HubLinks) {
            seq = item.sequence
            id = item.id.text
            link = "\(links.publicURL)/\(item.board)/\(item.id)"
            text = "\(item.title) \(link)"
            account = Account(id: item.author.id, handle: item.author.handle, name: item.author.name)
            // What live listening asks of a post.
            tags = ["chirp", item.kind, item.category]
            created = item.created
            clip = item.clip.map {
                Clip(
                    id: $0.id.text, page: links.page($0.id), audio: links.audio($0.id), title: item.title,
                    seconds: $0.sound?.seconds)
            }
        }
    }
}
