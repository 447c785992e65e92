internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Messages as people read and write them. They work without script; the script says by itself what was read.
struct MessageRoutes {
    let desk: MessageDesk

    private var links: HubLinks { desk.desk.links }

    var routes: [WebRoute] {
        [
            .get("/messages", .signedIn) { try await list($0, $1) },
            .post("/messages", .active) { request, context, form in
                let names = form["to"].split { $0.isWhitespace || $0 == "," }.map(String.init)
                switch try await desk.write(form, to: names, context) {
                case .success(let post): return try await goOn(to: post, context)
                case .failure(let why): return try await list(request, context, form, why)
                }
            },
            .get("/messages/:id", .signedIn) { try await thread($0, $1) },
            .post("/messages/:id", .active) { request, context, form in
                guard let opened = try await desk.open(request, context) else { throw HTTPError(.notFound) }
                switch try await desk.answer(form, opened.thread, context) {
                case .success(let post): return try await goOn(to: post, context)
                case .failure(let why): return try await thread(request, context, form, why)
                }
            },
            .post("/messages/:id/read", .signedIn) { request, context, _ in
                guard let opened = try await desk.open(request, context) else { throw HTTPError(.notFound) }
                try await desk.read(opened.thread, context)
                return desk.desk.goOn(to: "/messages")
            },
        ]
    }

    private func goOn(to post: HubPost, _ context: WebContext) async throws -> Response {
        guard let thread = try await desk.thread(of: post, context) else { return desk.desk.goOn(to: "/messages") }
        try await desk.read(thread, context)
        return desk.desk.goOn(to: "/messages/\(thread.id)#p\(post.sequence)")
    }

    private func list(
        _ request: Request, _ context: WebContext, _ form: Form? = nil, _ why: WordsRefusal? = nil
    ) async throws -> Response {
        let found = try await desk.threads(request, context)
        let (links, me) = (links, try context.account)
        let named = request.uri.queryParameters["to"].map { PercentEncoding.decode($0, plusIsSpace: true) } ?? ""
        let to = PlainText(form?["to"] ?? named, limit: 200).value
        let typed = PlainText.lines(form?["text"] ?? "", limit: 2000)
        let mayWrite = context.person?.isActive == true
        return desk.desk.forgery.page(request) { token in
            let page = MessagesPage(
                threads: found.threads, older: found.older, upTo: found.upTo, me: me, token: token,
                form: mayWrite
                    ? MessageForm(action: "/messages", to: to, typed: typed, problem: why, token: token, links: links)
                    : nil, links: links)
            return .page(page.html, status: why?.status ?? .ok).uncached
        }
    }

    private func thread(
        _ request: Request, _ context: WebContext, _ form: Form? = nil, _ why: WordsRefusal? = nil
    ) async throws -> Response {
        guard let opened = try await desk.open(request, context) else { throw HTTPError(.notFound) }
        let (links, me) = (links, try context.account)
        let typed = PlainText.lines(form?["text"] ?? "", limit: 2000)
        let mayWrite = context.person?.isActive == true && opened.isOpen
        return desk.desk.forgery.page(request) { token in
            let page = ThreadPage(
                opened: opened, me: me, token: token,
                form: mayWrite
                    ? MessageForm(
                        action: "/messages/\(opened.thread.id)", to: nil, typed: typed, problem: why, token: token,
                        links: links, people: opened.thread.people)
                    : nil, links: links)
            return .page(page.html, status: why?.status ?? .ok).uncached
        }
    }
}
