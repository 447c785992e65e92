internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What a person shows to whom: the secret address of her feed, and whether she is followed from other servers.
struct PrivacyRoutes {
    let desk: AccountDesk
    /// What links begin with.
    let publicURL: String
    /// Nil where the hub speaks with no other servers.
    let fediverse: Fediverse?

    var routes: [WebRoute] {
        [
            .get("/settings/privacy", .signedIn) { request, context in
                let account = try await desk.account(context)
                let made = try await desk.accounts.feedAddressMade(of: account.id)
                return show(made: made, elsewhere: try await elsewhere(account), request)
            },
            .post("/settings/privacy/federation", .active) { _, context, form in
                guard let fediverse else { throw HTTPError(.notFound) }
                let account = try await desk.account(context).id
                if form["federation"] == "on" {
                    try await fediverse.switchOn(account)
                } else {
                    try await fediverse.library.endFederation(of: account)
                }
                return desk.goOn(to: "/settings/privacy")
            },
            .post("/settings/privacy/feed", .confirmed) { request, context, _ in
                let address = try await desk.accounts(of: context).newFeedAddress(
                    of: try await desk.account(context).id)
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

    private func show(made: Date?, elsewhere: PrivacyPage.Elsewhere?, _ request: Request) -> Response {
        desk.forgery.page(request) { token in
            .page(PrivacyPage(made: made, elsewhere: elsewhere, token: token, prefix: desk.prefix).html).uncached
        }
    }

    private func elsewhere(_ account: HubAccount) async throws -> PrivacyPage.Elsewhere? {
        guard let fediverse else { return nil }
        let actor = try await fediverse.library.federationActor(of: account.id)
        return PrivacyPage.Elsewhere(
            isOn: actor?.isOn ?? false, name: "@\(account.handle)@\(fediverse.links.host)",
            followers: try await fediverse.library.remoteFollowerCount(of: account.id))
    }
}

private struct PrivacyPage {
    /// How others may follow from other servers.
    struct Elsewhere {
        let isOn: Bool
        /// By which she is found there.
        let name: String
        let followers: Int
    }

    let made: Date?
    let elsewhere: Elsewhere?
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
                \(federation)
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private var federation: HTML {
        guard let elsewhere else { return .nothing }
        let state: HTML =
            elsewhere.isOn
            ? "<p>\(HTML.word("privacy.federation-name", ["name": "<bdi>\(elsewhere.name)</bdi>"])) \(word("privacy.federation-followers", count: elsewhere.followers))</p>"
            : .nothing
        let checked: HTML = elsewhere.isOn ? " checked" : .nothing
        return """
            <h2>\(word("privacy.federation"))</h2>
            <p>\(word("privacy.federation-lead"))</p>\(state)
            \(form(to: "/settings/privacy/federation", """
                <label class="choice" for="federation"><input id="federation" name="federation" type="checkbox" \
                value="on"\(checked)> \(word("privacy.federation-box"))</label></p>
                <p><button class="main">\(word("privacy.federation-save"))</button>
                """))\(elsewhere.isOn ? "<p><a href=\"\(prefix)/follow\">\(word("elsewhere.title"))</a></p>" : .nothing)
            """
    }

    private func form(to path: String, _ button: HTML) -> HTML {
        """
        <form method="post" action="\(prefix)\(path)"><input type="hidden" name="token" value="\(token)">
        <p>\(button)</p></form>
        """
    }
}
