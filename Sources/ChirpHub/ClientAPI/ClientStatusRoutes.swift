internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Posts by Mastodon's client API: written, read, marked and removed.
struct ClientStatusRoutes {
    let desk: ClientDesk
    /// The clip that a medium has become: nil when there is no such medium of the account.
    let medium: @Sendable (_ id: String, _ owner: AccountID) async throws -> Medium?
    /// What new accounts may post.
    let policy: PostingPolicy

    /// How far a medium is.
    enum Medium: Sendable {
        case ready(HubID)
        /// It is still being made.
        case pending
        case refused(why: String)
    }

    /// The most characters of a post, a link counting as ``link`` of them.
    static let longest = 1000
    static let link = 23

    var routes: [WebRoute] {
        let read: TokenRule = "read:statuses"
        return [
            .api(
                .post, "/api/v1/statuses", .active, scope: "write:statuses", body: .upTo(64 << 10),
                summary: "Publishes a post"
            ) { try await publish($0, $1) },
            .api(.get, "/api/v1/statuses/:id", .everybody, scope: read, summary: "Reads a post") { _, context in
                let reader = desk.reader(context)
                return try await desk.answer(try await desk.post(context, reader), reader)
            },
            .api(
                .delete, "/api/v1/statuses/:id", .signedIn, scope: "write:statuses",
                summary: "Removes a post of one's own, and its clip when nothing else is about it"
            ) { try await remove($0, $1) },
            .api(
                .get, "/api/v1/statuses/:id/context", .everybody, scope: read,
                summary: "Reads what a post answers, and its answers"
            ) { try await thread($0, $1) },
            .api(
                .get, "/api/v1/statuses/:id/favourited_by", .everybody, scope: "read:accounts",
                summary: "Lists nobody: who likes what is not told"
            ) { _, context in
                _ = try await desk.post(context, desk.reader(context.reading("read:statuses")))
                return desk.answer([])
            },
            mark("favourite", .favourite, scope: "write:favourites"),
            mark("unfavourite", .favourite, scope: "write:favourites", isOn: false),
            mark("bookmark", .bookmark, scope: "write:bookmarks"),
            mark("unbookmark", .bookmark, scope: "write:bookmarks", isOn: false),
            .api(
                .post, "/api/v1/statuses/:id/reblog", .active, scope: "write:statuses", body: .upTo(1 << 10),
                summary: "Shares a clip that was posted at another server with one's followers there"
            ) { _, context in
                let reader = desk.reader(context.reading("read:statuses"))
                let post = try await desk.post(context, reader)
                let account = try context.account
                let isShared: Bool
                do throws(PostingRefusal) {
                    isShared = try await desk.library.shareOutwards(post, by: account)
                } catch {
                    throw error.problem
                }
                guard isShared else {
                    throw Problem.refused("Only clips of other servers are shared, by who has switched these on")
                }
                return try await desk.answer(post, reader)
            },
            .api(
                .post, "/api/v1/statuses/:id/unreblog", .active, scope: "write:statuses", body: .upTo(1 << 10),
                summary: "Takes back that a clip was shared"
            ) { _, context in
                let reader = desk.reader(context.reading("read:statuses"))
                let post = try await desk.post(context, reader)
                try await desk.library.unshareOutwards(post, by: context.account)
                return try await desk.answer(post, reader)
            },
        ]
    }

    private func mark(_ verb: String, _ mark: PostMark, scope: TokenRule, isOn: Bool = true) -> WebRoute {
        .api(
            .post, "/api/v1/statuses/:id/\(verb)", .active, scope: scope, body: .upTo(1 << 10),
            summary: "Marks a post: \(verb)"
        ) { _, context in
            // Who marks a post is answered with it, so it is one that the token reads.
            let reader = desk.reader(context.reading("read:statuses"))
            let post = try await desk.post(context, reader)
            let account = try context.account
            if isOn {
                try await desk.limits.consumeMark(by: account)
                do throws(PostingRefusal) { try await desk.library.mark(post, mark, by: account) } catch {
                    throw error.problem
                }
            } else {
                try await desk.library.unmark(post.sequence, mark, by: account)
            }
            return try await desk.answer(post, reader)
        }
    }

    private func publish(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.account
        let fields = try await request.fields()
        let reader = desk.reader(context)
        var draft = try draft(fields, key: request.headers[.idempotencyKey], by: account)
        if let answered = fields["in_reply_to_id"], !answered.isEmpty {
            guard let place = answered.safeInteger, let post = try await reader.post(place) else {
                throw Problem.recordNotFound
            }
            draft.replyTo = post.sequence
        }
        try await attach(fields.list("media_ids"), to: &draft)
        let post: HubPost
        do throws(PostingRefusal) { post = try await desk.library.post(draft, under: policy) } catch {
            throw error.problem
        }
        return try await desk.answer(post, reader)
    }

    private func draft(_ fields: RequestFields, key: String?, by account: AccountID) throws -> PostDraft {
        let text = PlainText.lines(fields["status"] ?? "", limit: 10_000)
        let spoiler = PlainText(fields["spoiler_text"] ?? "", limit: 500).value
        guard Self.isWithin(text, spoiler: spoiler) else {
            throw Problem.refused("Text character limit of \(Self.longest) exceeded", field: "status")
        }
        guard !text.isEmpty || !fields.list("media_ids").isEmpty else {
            throw Problem.refused("Text can't be blank", field: "status")
        }
        guard fields["scheduled_at"] == nil, fields.names.allSatisfy({ !$0.hasPrefix("poll[") }) else {
            throw Problem.refused("Polls and posts for later are not made here")
        }
        // The same key of two clients of one person is one post, as the header's meaning is.
        let key = key.map { PlainText($0, limit: 200).value } ?? ""
        var draft = PostDraft(author: account, text: text, key: key.isEmpty ? "new:\(HubID().text)" : "api:\(key)")
        draft.spoiler = spoiler
        if let name = fields["visibility"], !name.isEmpty {
            guard let visibility = HubPost.Visibility(client: name) else {
                throw Problem.refused("Visibility is not included in the list", field: "visibility")
            }
            draft.visibility = visibility
        }
        if let language = fields["language"], !language.isEmpty {
            guard language.utf8.count <= 35, language.utf8.allSatisfy({ Self.isLanguage($0) }) else {
                throw Problem.refused("Language is no tag of BCP 47", field: "language")
            }
            draft.language = language
        }
        return draft
    }

    /// Finds the clip that a post is about: a medium that was sent, or one of the author's clips to which its words link.
    private func attach(_ media: [String], to draft: inout PostDraft) async throws {
        guard media.count <= 1 else { throw Problem.refused("A post has one clip", field: "media_ids") }
        if let id = media.first {
            switch try await medium(id, draft.author) {
            case .ready(let clip):
                draft.clip = clip
                draft.link = desk.links.page(clip)
            case .pending:
                throw Problem.refused(
                    "Cannot attach files that have not finished processing. Try again in a moment!", field: "media_ids")
            case .refused(let why): throw Problem.refused(why, field: "media_ids")
            case nil: throw Problem.recordNotFound
            }
            return
        }
        for case .link(let link) in PostText.parts(of: draft.text) {
            guard let clip = HubID(pageAddress: link), desk.links.page(clip) == link else { continue }
            draft.clip = clip
            draft.link = link
            return
        }
    }

    private func remove(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = desk.reader(context)
        let post = try await desk.post(context, reader)
        guard let document = try await desk.documents([post], reader).first,
            try await desk.library.removePost(post.sequence, by: context.account)
        else { throw Problem.recordNotFound }
        var json = JSONText()
        document.writeWithSource(&json)
        return .json(json)
    }

    private func thread(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = desk.reader(context)
        let post = try await desk.post(context, reader)
        let above = try await desk.documents(try await reader.posts(above: post.sequence), reader)
        let below = try await desk.documents(try await reader.posts(below: post.sequence), reader)
        return .json { json in
            json.field("ancestors") { $0.array(above) { $1.write(&$0) } }
            json.field("descendants") { $0.array(below) { $1.write(&$0) } }
        }
    }

    /// The characters of a text, links counting all the same.
    static func count(_ text: String) -> Int {
        PostText.parts(of: text).reduce(0) { sum, part in
            switch part {
            case .words(let words): sum + words.count
            case .link: sum + link
            case .tag(let tag): sum + 1 + tag.count
            }
        }
    }

    /// Whether a post may say that much: so many characters, links counting all the same, and the bytes that so many take, in which links
    /// count in full.
    static func isWithin(_ text: String, spoiler: String = "") -> Bool {
        text.utf8.count + spoiler.utf8.count <= 4 * longest && count(text) + spoiler.count <= longest
    }

    private static func isLanguage(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
