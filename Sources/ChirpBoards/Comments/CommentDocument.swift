internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// A comment as programs read it. Names are stable; fields may be added.
struct CommentDocument {
    let comment: ItemComment
    let item: Item
    /// Who asks; nil for a visitor.
    let me: String?
    let links: HubLinks

    func write(_ json: inout JSONText) {
        let isOwn = me != nil && comment.author?.id.rawValue == me
        json.object { json in
            json.field("id", comment.id.text)
            json.field("url", "\(links.publicURL)/\(item.board)/\(item.id)/comments/\(comment.id)")
            json.field("answers", comment.above?.text)
            json.field("state", comment.state.rawValue)
            json.field("author") { json in
                guard let author = comment.author else { return json.value(String?.none) }
                json.object { json in
                    json.field("handle", author.handle)
                    json.field("name", author.name)
                    json.field("url", links.person(author))
                }
            }
            json.field("text", comment.text)
            json.field("clip") { json in
                guard let clip = comment.clip else { return json.value(String?.none) }
                json.object { json in
                    json.field("id", clip.id.text)
                    json.field("url", links.audio(clip.id))
                    json.field("seconds", seconds: clip.sound?.seconds)
                }
            }
            json.field("created", comment.author == nil ? nil : comment.created)
            json.field("isOwn", isOwn)
            json.field("isRemovable", comment.author != nil && (isOwn || me != nil && item.author.id.rawValue == me))
            json.field("thread") { json in
                json.array(comment.answers) { json, answer in
                    CommentDocument(comment: answer, item: item, me: me, links: links).write(&json)
                }
            }
            json.field("hasMore", comment.hasMoreAnswers)
        }
    }
}
