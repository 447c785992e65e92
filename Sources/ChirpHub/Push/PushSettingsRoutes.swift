internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The browsers that are told of notices: this one, by a button, and the others in a list.
struct PushSettingsRoutes {
    let push: PushDesk

    static let path = "/settings/push"

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                let entries = try await push.library.pushSubscriptions(
                    of: try context.account, from: context.session.flatMap { OpaqueToken(shown: $0) })
                let said = request.query("said")
                return push.desk.forgery.page(request) { token in
                    let page = PushPage(
                        entries: entries, key: push.office?.key, said: said, token: token, prefix: push.desk.prefix)
                    return .page(page.html).uncached
                }
            },
            .post("\(Self.path)/removal", .signedIn) { _, context, form in
                _ = try await push.library.unsubscribe(form["id"], of: try context.account)
                return push.desk.goOn(to: "\(Self.path)?said=ended")
            },
        ]
    }
}

private struct PushPage {
    let entries: [PushEntry]
    /// Nil where browsers cannot be told.
    let key: String?
    let said: String
    let token: String
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("push.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: key.map {
                let isHere = entries.contains(where: \.isHere)
                return PageScript(
                    .push, words: ["push.here."], token: token, facts: ["key": $0, "isHere": isHere ? "yes" : "no"])
            },
            body: """
                <div class="form"><h1>\(word("push.title"))</h1>
                <p role="status">\(news)</p><p role="alert"></p>
                <p>\(word("push.lead"))</p>
                \(key == nil ? "<p>\(word("push.unavailable"))</p>" : here)
                <h2>\(word("push.browsers"))</h2>
                \(entries.isEmpty ? "<p>\(word("push.none"))</p>" : list)
                <p><a href="\(prefix)/settings/notices">\(word("push.choose"))</a></p>
                \(FormPage.wayBack(prefix))</div>
                """)
    }

    private var news: String {
        switch said {
        case "on": word("push.said-on")
        case "ended": word("push.said-ended")
        default: ""
        }
    }

    /// The browser asks for permission only when somebody presses; what stands in the way is said before.
    private var here: HTML {
        """
        <h2>\(word("push.this"))</h2>
        <noscript><p>\(word("push.script"))</p></noscript>
        <p data-push-state></p>
        <p><button type="button" class="main" data-push hidden>\(word("push.here.begin"))</button></p>
        """
    }

    private var list: HTML { "<ul>\(HTML(joining: entries.map(item), separator: "\n"))</ul>" }

    private func item(_ entry: PushEntry) -> HTML {
        let agent = entry.agent.isEmpty ? word("settings.no-agent") : entry.agent
        let here: HTML = entry.isHere ? " <strong>\(word("push.mark"))</strong>" : .nothing
        return """
            <li><form method="post" action="\(prefix)\(PushSettingsRoutes.path)/removal">
            <input type="hidden" name="token" value="\(token)"><input type="hidden" name="id" value="\(entry.id)">
            <p>\(HTML.word("settings.session", ["agent": "<bdi>\(agent)</bdi>", "time": Wording.time(entry.created)]))\(here)
            <button aria-label="\(word("push.end", ["agent": agent]))">\(word("settings.end"))</button></p></form></li>
            """
    }
}
