internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What a person shows to whom: for now the secret address of her feed.
struct PrivacyRoutes {
    let desk: AccountDesk
    /// What links begin with.
    let publicURL: String

    var routes: [WebRoute] {
        [
            .get("/settings/privacy", .signedIn) { request, context in
                let made = try await desk.accounts.feedAddressMade(of: try await desk.account(context).id)
                return show(made: made, request)
            },
            .post("/settings/privacy/feed", .signedIn) { request, context, _ in
                let address = try await desk.accounts.newFeedAddress(of: try await desk.account(context).id)
                return desk.say(
                    word("privacy.feed-title"),
                    """
                    <p>\(word("privacy.feed-text"))</p>
                    <p><code>\(publicURL)/feeds/\(address.secret.reveal()).xml</code></p>
                    <p><a href="\(desk.prefix)/settings/privacy">\(word("settings.privacy"))</a></p>
                    """)
            },
            .post("/settings/privacy/feed/end", .signedIn) { _, context, _ in
                try await desk.accounts.endFeedAddress(of: try await desk.account(context).id)
                return desk.goOn(to: "/settings/privacy")
            },
        ]
    }

    private func show(made: Date?, _ request: Request) -> Response {
        desk.forgery.page(request) { token in
            .page(PrivacyPage(made: made, token: token, prefix: desk.prefix).html).uncached
        }
    }
}

private struct PrivacyPage {
    let made: Date?
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("settings.privacy")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("settings.privacy"))</h1>
                <p role="status"></p><p role="alert"></p>
                <h2>\(word("privacy.feed"))</h2>
                <p>\(word("privacy.feed-lead"))</p>
                \(made.map { "<p>\(HTML.word("privacy.feed-made", ["time": Wording.time($0)]))</p>" as HTML } ?? .nothing)
                \(form(to: "/settings/privacy/feed", "<button class=\"main\">\(word("privacy.feed-new"))</button>"))
                \(made == nil ? .nothing : form(to: "/settings/privacy/feed/end", "<button>\(word("privacy.feed-end"))</button>"))
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private func form(to path: String, _ button: HTML) -> HTML {
        """
        <form method="post" action="\(prefix)\(path)"><input type="hidden" name="token" value="\(token)">
        <p>\(button)</p></form>
        """
    }
}
