internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpWeb
internal import Hummingbird

/// "Write" at a listing: its author gets a message of the hub, in which the listing stands. Nobody learns an address (LF-5, LF-15).
struct ConversationRoutes {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    /// Characters of a message.
    private static let longest = 2000

    var routes: [WebRoute] {
        [
            .get("\(ListingDesk.path)/:id/message", .active) { request, context in
                try await desk.answering(request, context) { page(try await desk.listing(context), request, context) }
            },
            .post("\(ListingDesk.path)/:id/message", .active) { request, context, form in
                try await desk.answering(request, context) {
                    let listing = try await desk.listing(context)
                    do {
                        let thread = try await write(form["text"], key: form["key"], listing, context)
                        return desk.goOn(to: "/messages/\(thread)")
                    } catch let problem as Problem where problem.status == .unprocessableContent {
                        return page(listing, request, context, form["text"], problem)
                    }
                }
            },
            .api(
                .post, "\(ListingDesk.api)/:id/messages", .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Writes to a listing's author; the answer names the conversation",
                takes: [.text("text"), .text("key", isRequired: false, "the same for every try to send the same")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let (listing, sent) = (try await desk.listing(context), try await request.fields())
                    let thread = try await write(sent["text"] ?? "", key: sent["key"] ?? "", listing, context)
                    return .json { $0.field("thread", thread) }
                }
            },
        ]
    }

    /// - Returns: the conversation.
    /// - Throws: ``Problem``.
    private func write(_ typed: String, key: String, _ listing: Listing, _ context: WebContext) async throws -> String {
        let (library, me, author) = (desk.desk.library, try context.account, listing.item.author)
        let text = PlainText.lines(typed, limit: Self.longest + 1)
        guard author.id != me else { throw Problem(.forbidden, "own", word("conversation.own")) }
        guard !text.isEmpty else { throw Problem.notTaken(["text": word("conversation.empty")]) }
        guard text.isWithin(Self.longest) else {
            throw Problem.notTaken(["text": word("conversation.long", ["most": "\(Self.longest)"])])
        }
        let reader = library.seen(by: .member(me))
        guard try await reader.people(.these([author.id]), limit: 1).count == 1,
            try await !reader.relationships(to: [author.id]).contains(where: \.isBlocking)
        else { throw Problem(.forbidden, "not-allowed", word("conversation.nobody")) }
        let page = "\(desk.links.publicURL)\(ListingDesk.path)/\(listing.id.text)"
        let digest = FileDigest.sha256(of: "\(key.prefix(100))\n\(listing.id.text)\n\(text)")
        var draft = PostDraft(
            author: me, text: "@\(author.handle) \(text)\n\(page)", link: page,
            key: key.isEmpty ? "new:\(HubID().text)" : "form:\(digest)")
        draft.visibility = .direct
        do throws(PostingRefusal) { _ = try await library.post(draft, under: desk.desk.policy) } catch {
            throw Self.refused(error)
        }
        return reader.threadID(with: [author.id])
    }

    private static func refused(_ refusal: PostingRefusal) -> any Error {
        switch refusal {
        case .tooOften(let seconds), .outward(let seconds):
            Problem(.tooManyRequests, "too-often", word("conversation.often"), retryAfter: seconds)
        case .strangers(let seconds): Problem.manyStrangers(seconds)
        case .notActive: Problem(.forbidden, "not-active", word("conversation.inactive"))
        case .library(let error): error
        }
    }

    private func page(
        _ listing: Listing, _ request: Request, _ context: WebContext, _ typed: String = "", _ problem: Problem? = nil
    ) -> Response {
        let path = "\(desk.prefix)\(ListingDesk.path)/\(listing.id.text)"
        let title = word("conversation.title", ["name": listing.item.author.name])
        return desk.show(request, context, status: problem?.status ?? .ok) { token in
            ListingLayout(links: desk.links, token: token).form(
                title: title, problem: problem.map { "<p>\($0.sentence)</p>" } ?? .nothing,
                content: """
                    <p dir="auto"><a href="\(path)">\(listing.item.title)</a></p>
                    <p>\(word("conversation.how"))</p>
                    <form method="post" action="\(path)/message"><input type="hidden" name="token" value="\(token ?? "")">\
                    <input type="hidden" name="key" value="\(HubID().text)">
                    <p class="field"><label for="text">\(word("message.words"))</label>
                    <textarea id="text" name="text" rows="4" dir="auto" required maxlength="\(Self.longest)"\
                    \(problem == nil ? .nothing : " aria-describedby=\"problem\" aria-invalid=\"true\"")>\(typed)</textarea></p>
                    <p class="actions"><button class="main">\(word("message.send"))</button>
                    <a class="quiet" href="\(desk.prefix)/record?to=@\(listing.item.author.handle)">\(word("message.voice"))</a></p>
                    </form>
                    """)
        }
    }
}

/// The way to it from a listing's page.
struct ConversationPart {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    var part: ListingPart {
        ListingPart(place: .acts) { listing, view in
            guard !view.isAuthor, listing.item.state == .open else { return .nothing }
            return """
                <a class="act" href="\(desk.prefix)\(ListingDesk.path)/\(listing.id.text)/message">\(word("conversation.write"))</a>
                """
        }
    }
}
