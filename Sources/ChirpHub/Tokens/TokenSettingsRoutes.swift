internal import ChirpAccounts
internal import ChirpWeb
internal import Hummingbird

/// The programs that a person has let in, and the end of each.
struct TokenSettingsRoutes {
    let desk: AccountDesk

    var routes: [WebRoute] {
        [
            .get("/settings/tokens", .signedIn) { request, context in
                let account = try await desk.account(context)
                let tokens = try await desk.accounts.tokens(of: account.id)
                return desk.forgery.page(request) { token in
                    .page(TokensPage(tokens: tokens, token: token, prefix: desk.prefix).html).uncached
                }
            },
            .post("/settings/tokens/end", .signedIn) { _, context, form in
                let account = try await desk.account(context)
                try await desk.accounts.end(token: form["id"], of: account.id)
                return desk.goOn(to: "/settings/tokens")
            },
        ]
    }
}

private struct TokensPage {
    let tokens: [TokenEntry]
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("settings.tokens")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("settings.tokens"))</h1>
                <p role="status"></p><p role="alert"></p>
                <p>\(word("tokens.lead"))</p>
                \(tokens.isEmpty ? "<p>\(word("tokens.none"))</p>" : list)
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private var list: HTML { "<ul>\(HTML(joining: tokens.map(item), separator: "\n"))</ul>" }

    private func item(_ entry: TokenEntry) -> HTML {
        let words = HTML.word(
            "tokens.item",
            [
                "app": "<bdi>\(entry.app)</bdi>", "scopes": "\(entry.scopes)",
                "since": Wording.time(Accounts.date(entry.created)), "used": Wording.time(Accounts.date(entry.used)),
            ])
        return """
            <li><form method="post" action="\(prefix)/settings/tokens/end">
            <input type="hidden" name="token" value="\(token)"><input type="hidden" name="id" value="\(entry.id)">
            <p>\(words)</p><p>\(word("tokens.could"))</p>
            <ul>\(HTML(joining: Scopes(entry.scopes).words.map { "<li>\($0)</li>" }))</ul>
            <p><button aria-label="\(word("tokens.end", ["app": entry.app]))">\(word("settings.end"))</button></p></form></li>
            """
    }
}
