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
                    "Your feed address",
                    """
                    <p>Give this to your podcast program or feed reader. It is shown only now; whoever knows it reads what you read.</p>
                    <p><code>\(publicURL)/feeds/\(address.secret.reveal()).xml</code></p>
                    <p><a href="\(desk.prefix)/settings/privacy">Privacy</a></p>
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
            title: "Privacy – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>Privacy</h1>
                <p role="status"></p><p role="alert"></p>
                <h2>Feed</h2>
                <p>A feed of what you read here, with posts to followers and to you, has an address that nobody can guess.</p>
                \(made.map { "<p>Yours was made on \(Wording.time($0)). A new one ends it.</p>" as HTML } ?? .nothing)
                \(form(to: "/settings/privacy/feed", "<button class=\"main\">New feed address</button>"))
                \(made == nil ? .nothing : form(to: "/settings/privacy/feed/end", "<button>End feed address</button>"))
                </div>
                """)
    }

    private func form(to path: String, _ button: HTML) -> HTML {
        """
        <form method="post" action="\(prefix)\(path)"><input type="hidden" name="token" value="\(token)">
        <p>\(button)</p></form>
        """
    }
}
