internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// A post as Mastodon's API has it (docs.joinmastodon.org/entities/Status).
struct StatusDocument {
    let post: HubPost
    let author: PublicPerson
    /// Whom it answers, when the viewer sees that.
    var answered: AccountID?
    var figures = PostFigures()
    /// False for what is told to many at once: then nothing in it is of one viewer.
    var isPersonal = true
    /// It tells of something that the viewer watches. Not of Mastodon's: `chirp live` asks for it.
    var isWatched = false
    /// It was written to the viewer by somebody whom she does not follow: addresses of elsewhere are text, not links.
    var isStrange = false
    let links: HubLinks

    /// Where people read it.
    static func address(of post: HubPost, links: HubLinks) -> String {
        post.clip.map { links.page($0.id) } ?? "\(links.publicURL)/p/\(post.id)"
    }

    func write(_ json: inout JSONText) { json.object(fields) }

    /// With the words as they were typed, so that a deleted one can be written anew.
    func writeWithSource(_ json: inout JSONText) {
        json.object { json in
            fields(&json)
            json.field("text", post.text)
        }
    }

    private func fields(_ json: inout JSONText) {
        json.field("id", "\(post.sequence)")
        json.field("created_at", post.created)
        // What the viewer may not see is not named either.
        json.field("in_reply_to_id", answered == nil ? nil : post.replyTo.map { "\($0)" })
        json.field("in_reply_to_account_id", answered?.rawValue)
        json.field("sensitive", !post.spoiler.isEmpty)
        json.field("spoiler_text", post.spoiler)
        // Those that were posted elsewhere are for everybody there.
        json.field("visibility", post.author.isElsewhere ? "public" : name(of: post.visibility))
        json.field("language", post.language)
        json.field("uri", "\(links.publicURL)/p/\(post.id)")
        json.field("url", Self.address(of: post, links: links))
        json.field("replies_count", figures.replies)
        json.field("reblogs_count", 0)
        json.field("favourites_count", figures.favourites)
        json.field("edited_at", Date?.none)
        if isPersonal {
            json.field("favourited", figures.marks.contains(.favourite))
            json.field("reblogged", figures.isShared)
            json.field("muted", false)
            json.field("bookmarked", figures.marks.contains(.bookmark))
            json.field("pinned", false)
            if isWatched { json.field("watched", true) }
        }
        json.field("content", StatusContent.html(post.text, withoutLinks: isStrange, links: links))
        json.field("reblog", String?.none)
        json.field("application", String?.none)
        json.field("account") { AccountDocument(person: author, links: links).write(&$0) }
        json.field("media_attachments") { json in
            json.array(post.clip.map { [$0] } ?? []) { ClipDocument(clip: $1, links: links).write(&$0) }
        }
        json.none("mentions")
        json.field("tags") { json in
            json.array(Set(PostText.tags(in: post.text).map { $0.lowercased() }).sorted()) { json, tag in
                TagDocument(name: tag, links: links).write(&json)
            }
        }
        json.none("emojis")
        json.field("card", String?.none)
        json.field("poll", String?.none)
    }

    /// As Mastodon calls it.
    private func name(of visibility: HubPost.Visibility) -> String {
        visibility == .followers ? "private" : visibility.rawValue
    }
}

extension HubPost.Visibility {
    /// By Mastodon's name, or the hub's own.
    init?(client name: String) {
        if name == "private" {
            self = .followers
        } else if let own = Self(rawValue: name) {
            self = own
        } else {
            return nil
        }
    }
}

/// A clip as a media attachment (docs.joinmastodon.org/entities/MediaAttachment).
struct ClipDocument {
    let clip: HubClip
    let links: HubLinks

    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("id", clip.id.text)
            json.field("type", "audio")
            json.field("url", links.audio(clip.id))
            json.field("preview_url", String?.none)
            json.field("remote_url", String?.none)
            json.field("text_url", links.page(clip.id))
            json.field("meta") { json in
                json.object { json in
                    guard let sound = clip.sound else { return }
                    json.field("length", Wording.clock(sound.seconds))
                    json.field("duration", seconds: sound.seconds)
                    json.field("original") { $0.object { $0.field("duration", seconds: sound.seconds) } }
                }
            }
            json.field("description", clip.title)
            json.field("blurhash", String?.none)
        }
    }
}

/// A hashtag (docs.joinmastodon.org/entities/Tag).
struct TagDocument {
    let name: String
    let links: HubLinks

    func write(_ json: inout JSONText) {
        json.object { json in
            json.field("name", name)
            json.field("url", "\(links.publicURL)/tags/\(name)")
            json.none("history")
        }
    }
}
