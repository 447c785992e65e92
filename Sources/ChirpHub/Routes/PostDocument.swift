internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials

/// A post as the API gives it. Field names are stable; fields may be added.
struct PostDocument: Encodable {
    struct Author: Encodable {
        let id: AccountID
        let handle: String
        let name: String

        init(_ account: PostAuthor) {
            id = account.id
            handle = account.handle
            name = account.name
        }
    }
    struct Clip: Encodable {
        let id: String
        let title: String
        let page: String
        let audio: String
        let type: String
        let bytes: Int64
        let sha256: String
        let seconds: Double?
        let created: Date
        let expires: Date?
    }

    let seq: Int64
    let id: String
    let account: Author
    let text: String
    let link: String
    let tags: [String]
    let created: Date
    let clip: Clip?

    init(_ post: HubPost, links: HubLinks) {
        seq = post.sequence
        id = post.id
        account = Author(post.author)
        text = post.text
        link = post.link
        tags = PostText.tags(in: post.text)
        created = post.created
        clip = post.clip.map { clip in
            Clip(
                id: clip.id.text, title: clip.title, page: links.page(clip.id), audio: links.audio(clip.id),
                type: clip.contentType, bytes: clip.bytes, sha256: clip.sha256, seconds: clip.sound?.seconds,
                created: clip.created, expires: clip.expires)
        }
    }
}
