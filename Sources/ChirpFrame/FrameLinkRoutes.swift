internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// A link begins a frame of the account that it was made for, once. Any page can lead a browser to a link of its own author, so opening it
/// changes nothing: a press does.
struct FrameLinkRoutes: Sendable {
    let desk: FrameDesk

    private static let path = "/frame/open"

    var routes: [WebRoute] {
        [
            .get(Self.path, .everybody) { request, _ in
                guard let link = OpaqueToken(shown: request.query("token") ?? "") else { return frame }
                return desk.forgery.page(request) { .page(html(link, $0)).unkept }
            },
            .post(Self.path, .everybody) { request, _, form in
                guard let link = OpaqueToken(shown: form["link"]) else { return frame }
                let token = OpaqueToken()
                let made = try await desk.library.newFrame(
                    token, name: request.headers[.userAgent] ?? "", byLink: link)
                guard made != nil else { return frame }
                return desk.carrying(token, frame)
            },
        ]
    }

    private var frame: Response { .goOn(to: "\(desk.links.prefix)/frame") }

    private func html(_ link: OpaqueToken, _ token: String) -> HTML {
        Layout(prefix: desk.links.prefix).page(
            title: "\(word("frame.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("frame.open"))</h1>
                <p role="status"></p><p role="alert"></p>
                <p>\(word("frame.open.lead"))</p>
                <form method="post" action="\(desk.links.prefix)\(Self.path)">
                <input type="hidden" name="token" value="\(token)">
                <input type="hidden" name="link" value="\(link.secret.reveal())">
                <p><button class="main">\(word("frame.open.begin"))</button></p>
                </form></div>
                """)
    }
}
