internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// A picture beside a report of what a board lists. It is sent before the report, so that its form needs no script.
struct ReportPictureRoutes {
    let desk: ModerationDesk

    /// Each takes a child's time.
    private static let rule = RateRule(20, per: 3600)

    var routes: [WebRoute] {
        guard let take = desk.takePicture else { return [] }
        return [
            .get("/report/items/:id/picture", .active) { request, context in
                page(try await item(context), request)
            },
            .post(
                "/report/items/:id/picture", .active, file: "picture", upTo: PictureIntake.mostBytes + 4096
            ) { request, context, form in
                let (item, account) = (try await item(context), try context.account)
                do {
                    try await desk.desk.limits.consume("picture", Self.rule, by: .account(account))
                    guard let file = form.file else { throw HTTPError(.unprocessableContent) }
                    let picture = try await take(file, account)
                    return desk.desk.goOn(to: "/report/items/\(item)?picture=\(picture)")
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    return page(item, request, problem: .refused(field: "picture", .pictureRefused))
                }
            },
        ]
    }

    /// In the form of a report: the picture that was sent, or the way to send one.
    func field(_ item: HubID, _ picture: HubID?) -> HTML {
        if let picture {
            return """
                <input type="hidden" name="picture" value="\(picture.text)"><p>\(ItemView.picture(picture, 1, desk))</p>
                """
        }
        guard desk.takePicture != nil else { return .nothing }
        return "<p><a href=\"\(desk.prefix)/report/items/\(item.text)/picture\">\(word("report.picture"))</a></p>"
    }

    private func item(_ context: WebContext) async throws -> HubID {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
            try await desk.library.itemToReport(id, by: context.account) != nil
        else { throw HTTPError(.notFound) }
        return id
    }

    private func page(_ item: HubID, _ request: Request, problem: CaseError? = nil) -> Response {
        desk.show(word("report.picture"), request, problem: problem) { token in
            """
            <form method="post" action="\(desk.prefix)/report/items/\(item.text)/picture" enctype="multipart/form-data">
            <input type="hidden" name="token" value="\(token)">
            <p class="field"><label for="picture">\(word("report.picture-choose"))</label>
            <input id="picture" name="picture" type="file" accept="image/*" required></p>
            <p><button class="main">\(word("report.picture-send"))</button></p></form>
            <p><a href="\(desk.prefix)/report/items/\(item.text)">\(word("moderation.back"))</a></p>
            """
        }
    }
}
