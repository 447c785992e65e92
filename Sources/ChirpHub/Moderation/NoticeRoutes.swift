internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What happened that concerns somebody: a page for everybody who is signed in.
struct NoticeRoutes {
    let desk: ModerationDesk

    private static let perPage = 40

    var routes: [WebRoute] {
        [
            .get("/notices", .signedIn) { try await show($0, $1) },
            .post("/notices/read", .signedIn) { _, context, form in
                guard let newest = Int64(form["to"]), newest > 0 else { throw HTTPError(.badRequest) }
                try await desk.library.readNotices(of: try context.account, to: newest)
                return desk.desk.goOn(to: "/notices")
            },
        ]
    }

    private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let before = try request.number("before", in: 1...Int64.max) ?? .max
        let reader = desk.library.seen(by: context.viewer)
        // One more than is shown tells whether there is another page.
        let found = try await reader.notices(before: before, limit: Self.perPage + 1)
        let notices = found.prefix(Self.perPage)
        var items: [HTML] = []
        for notice in notices {
            var post: HubPost?
            if let place = notice.post { post = try await reader.post(place) }
            items.append(item(notice, post))
        }
        let older: HTML =
            found.count > notices.count
            ? notices.last.map {
                "<p><a rel=\"next\" href=\"\(desk.prefix)/notices?before=\("\($0.id)")\">Older ones</a></p>"
            } ?? .nothing : .nothing
        return desk.show("Notices", request) { token in
            let read: HTML =
                notices.contains { !$0.isRead } && before == .max
                ? desk.form(
                    "/notices/read", token: token,
                    """
                    <input type="hidden" name="to" value="\("\(notices.first?.id ?? 0)")">\
                    <p><button>Mark all as read</button></p>
                    """) : .nothing
            return """
                \(ModerationDesk.list(items, empty: "<p>Nothing has happened yet.</p>"))
                \(read)\(older)
                """
        }
    }

    private func item(_ notice: Notice, _ post: HubPost?) -> HTML {
        let who = desk.name(notice.actor)
        let text = PlainText(post?.text ?? "", limit: 100).value
        let way = post.map { post in
            post.clip.map { "\(desk.prefix)/c/\($0.id.text)" } ?? "\(desk.prefix)/p/\(post.id)"
        }
        let what: HTML =
            way.map { "<a href=\"\($0)\" dir=\"auto\">\(text.isEmpty ? "the post" : text)</a>" } ?? "a post"
        let sentence: HTML
        switch notice.kind {
        case .mention: sentence = "\(who) writes to you: \(what)"
        case .follow: sentence = "\(who) follows you"
        case .favourite: sentence = "\(who) likes \(what)"
        case .moderation:
            sentence =
                "A moderator or a report concerns you: <a href=\"\(desk.prefix)/settings/standing\">see what and why</a>"
        }
        let mark: HTML = notice.isRead ? .nothing : "<strong>New.</strong> "
        return "<li><p>\(mark)\(sentence)</p><p class=\"byline\">\(Wording.time(notice.created))</p></li>"
    }
}
