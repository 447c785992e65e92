internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Three pages that say what the board is; each can be left for the board (OU-18).
struct IntroductionRoutes {
    let desk: RecordDesk

    static let path = "\(RecordDesk.path)/introduction"

    var routes: [WebRoute] {
        [
            .get(Self.path) { request, context in page(ChallengeIntroduction.pages.lowerBound, request, context) },
            .get("\(Self.path)/:page") { request, context in
                guard let number = context.parameters.get("page")?.integer(in: 0...1000),
                    ChallengeIntroduction.pages.contains(number)
                else { throw HTTPError(.notFound) }
                return page(number, request, context)
            },
            .post(Self.path, .signedIn) { _, context, _ in
                try await desk.visits.introduce(try context.account)
                return desk.goOn(to: RecordDesk.path)
            },
            .api(
                .put, "\(RecordDesk.api)/introduction", .signedIn, scope: "write:accounts",
                summary: "The introduction has been seen, or is left out", gives: 204
            ) { _, context in
                try await desk.visits.introduce(try context.account)
                return Response(status: .noContent).personal
            },
        ]
    }

    private func page(_ number: Int, _ request: Request, _ context: WebContext) -> Response {
        desk.show(request, context) { token in
            let next = ChallengeIntroduction.next(number)
            let text = Self.text(number)
            let onward: HTML =
                next.map {
                    "<a class=\"main\" rel=\"next\" href=\"\(desk.prefix)\(Self.path)/\($0)\">\(word("challenge.intro.next"))</a>"
                } ?? .nothing
            let title = word(
                "challenge.intro.title",
                ["page": "\(number)", "pages": "\(ChallengeIntroduction.pages.upperBound)"])
            return RecordLayout(links: desk.links, token: token).page(
                title: title, head: RecordLayout.unlisted,
                body: """
                    <div class="challenge-intro"><p class="byline">\(title)</p>
                    <h1>\(text.title)</h1>
                    <p class="challenge-plain">\(text.text)</p>
                    <div class="actions">\(onward)\(leave(token, isLast: next == nil))</div></div>
                    """)
        }
    }

    /// Who is signed in is not shown it again.
    private func leave(_ token: String?, isLast: Bool) -> HTML {
        let name = isLast ? word("challenge.intro.begin") : word("challenge.intro.skip")
        let look: HTML = isLast ? "main" : "act"
        guard let token else { return "<a class=\"\(look)\" href=\"\(desk.prefix)\(RecordDesk.path)\">\(name)</a>" }
        return """
            <form method="post" action="\(desk.prefix)\(Self.path)"><input type="hidden" name="token" value="\(token)">\
            <button class="\(look)">\(name)</button></form>
            """
    }

    private static func text(_ page: Int) -> (title: String, text: String) {
        switch page {
        case 1: (word("challenge.intro.first.title"), word("challenge.intro.first"))
        case 2: (word("challenge.intro.second.title"), word("challenge.intro.second"))
        default: (word("challenge.intro.third.title"), word("challenge.intro.third"))
        }
    }
}
