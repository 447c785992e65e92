internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import NIOCore

/// The picture of a profile: sent, taken away, shown.
struct PictureRoutes {
    let desk: AccountDesk
    let reader: HubReader
    let links: HubLinks
    let intake: PictureIntake?

    /// Each takes a child's time.
    private static let rule = RateRule(20, per: 3600)

    var routes: [WebRoute] {
        [
            .get("/settings/profile/picture", .signedIn) { request, context in
                page(try await desk.account(context), nil, request)
            },
            .post(
                "/settings/profile/picture", .signedIn, file: "picture", upTo: PictureIntake.mostBytes + 4096
            ) { request, context, form in
                let account = try await desk.account(context)
                do {
                    try await desk.limits.consume("picture", Self.rule, by: .account(account.id))
                    try await desk.accounts.setPortrait(of: account.id, to: try await made(of: form.file))
                    return desk.goOn(to: "/settings/profile/picture")
                } catch let error as AccountError {
                    return page(account, error, request)
                }
            },
            .post("/settings/profile/picture/remove", .signedIn) { _, context, _ in
                try await desk.accounts.setPortrait(of: try await desk.account(context).id, to: nil)
                return desk.goOn(to: "/settings/profile/picture")
            },
        ]
    }

    /// Shows it to everybody who sees the page.
    func add(to router: Router<WebContext>) {
        router.getOfPerson("/picture", reader, links) { person, request in
            guard let portrait = try await reader.portrait(of: person.id) else { throw HTTPError(.notFound) }
            let validators = Validators(sha256: portrait.sha256, modified: portrait.created)
            var headers: HTTPFields = [
                .eTag: validators.entityTag, .cacheControl: "public, max-age=300",
                .crossOriginResourcePolicy: "cross-origin",
            ]
            headers[.lastModified] = validators.lastModified
            if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
            headers[.contentType] = "image/jpeg"
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: portrait.jpeg)))
        }
    }

    private func made(of file: SentFile?) async throws -> [UInt8] {
        guard let file else { throw AccountError.refused(.picture, .pictureMissing) }
        guard file.count <= PictureIntake.mostBytes else { throw AccountError.refused(.picture, .pictureSize) }
        guard let intake else { throw AccountError.refused(.picture, .picturesOff) }
        do { return try await file.withBytes(intake.make) } catch let error as PictureIntake.Refusal {
            throw AccountError.refused(.picture, .pictureOdd(error.reason))
        }
    }

    private func page(_ account: HubAccount, _ problem: AccountError?, _ request: Request) -> Response {
        return desk.forgery.page(request) { token in
            let page = PicturePage(
                handle: account.handle.text, problem: problem?.words, token: token, prefix: desk.prefix)
            return .page(page.html, status: problem.map { $0.problem?.status ?? .internalServerError } ?? .ok).uncached
        }
    }
}

/// Where a picture is chosen.
private struct PicturePage {
    let handle: String
    let problem: String?
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("settings.picture")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("settings.picture"))</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(problem.map { "<p>\($0).</p>" } ?? .nothing)</div>
                <p><img src="\(prefix)/@\(handle)/picture" width="200" height="200" alt="\(word("profile.picture-alt"))"></p>
                <form method="post" action="\(prefix)/settings/profile/picture" enctype="multipart/form-data">
                <input type="hidden" name="token" value="\(token)">
                <p class="field"><label for="picture">\(word("profile.picture-new"))</label>
                <span class="hint" id="picture-hint">\(word("profile.picture-hint"))</span>
                <input id="picture" name="picture" type="file" accept="image/jpeg,image/png" aria-describedby="picture-hint" required></p>
                <p><button class="main">\(word("account.save"))</button></p></form>
                <form method="post" action="\(prefix)/settings/profile/picture/remove">
                <input type="hidden" name="token" value="\(token)"><p><button>\(word("profile.picture-remove"))</button></p></form>
                \(FormPage.wayBack(prefix))</div>
                """)
    }
}
