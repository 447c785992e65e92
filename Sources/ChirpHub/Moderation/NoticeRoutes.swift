internal import ChirpAccounts
internal import ChirpBoards
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
                guard let newest = PageCursor(form["to"]), newest > .start else { throw HTTPError(.badRequest) }
                try await desk.library.readNotices(of: try context.account, to: newest)
                return desk.desk.goOn(to: "/notices")
            },
        ]
    }

    private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let before = try request.cursor("before", from: 1) ?? .end
        let reader = desk.library.seen(by: context.viewer)
        // One more than is shown tells whether there is another page.
        let found = try await reader.notices(before: before, limit: Self.perPage + 1)
        let notices = found.prefix(Self.perPage)
        var items: [HTML] = []
        for notice in notices {
            var (post, isAnswer) = (HubPost?.none, false)
            if let place = notice.post { post = try await reader.post(place) }
            // Somebody who is named in an answer to another is written to, not answered.
            if notice.kind == .mention, let above = post?.replyTo {
                isAnswer = try await reader.post(above)?.author.id == reader.account
            }
            items.append(NoticeItem(notice: notice, post: post, isAnswer: isAnswer, desk: desk).html)
        }
        let older = desk.older("/notices", before: found.count > notices.count ? notices.last?.id : nil)
        return desk.show(word("notice.title"), request) { token in
            let read: HTML =
                notices.contains { !$0.isRead } && before == .end
                ? desk.form(
                    "/notices/read", token: token,
                    """
                    <input type="hidden" name="to" value="\("\(notices.first?.id ?? 0)")">\
                    <p><button>\(word("notice.read"))</button></p>
                    """) : .nothing
            return """
                \(ModerationDesk.list(items, empty: "<p>\(word("notice.none"))</p>"))
                \(read)\(older)
                """
        }
    }
}
