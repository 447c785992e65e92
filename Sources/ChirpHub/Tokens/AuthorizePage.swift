internal import ChirpAccounts
internal import ChirpWeb

/// Asks a person whether a program may speak for her.
struct AuthorizePage {
    let request: AuthorizeRequest
    /// Who is asked.
    let handle: String
    /// What the program sent, to be sent along.
    let sent: [(name: String, value: String)]
    let token: String
    let prefix: String

    var html: HTML {
        let fields = sent.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML }
        return Layout(prefix: prefix).page(
            title: "\(word("tokens.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(word("tokens.heading"))</h1>
                <p role="status"></p><p role="alert"></p>
                <p>\(asks) \(whereItIs)</p>
                <p>\(word("tokens.could"))</p>
                <ul>\(HTML(joining: request.scopes.words.map { "<li>\($0)</li>" }))</ul>
                <p>\(word("tokens.never"))</p>
                <form method="post" action="\(prefix)/oauth/authorize">
                <input type="hidden" name="token" value="\(token)">\(HTML(joining: fields))
                <p><button class="main">\(word("tokens.authorise"))</button> \
                <button name="answer" value="no">\(word("tokens.refuse"))</button></p>
                </form></div>
                """)
    }

    private var asks: HTML {
        HTML.word(
            "tokens.asks",
            ["app": "<strong><bdi>\(request.app.name)</bdi></strong>", "handle": "<bdi>@\(handle)</bdi>"])
    }

    private var whereItIs: HTML {
        if request.redirect == .outOfBand { return "\(word("tokens.shown"))" }
        return HTML.word("tokens.leads", ["place": "<bdi>\(request.redirect.origin)</bdi>"])
    }
}

extension Scopes {
    /// What they mean to a person.
    var words: [String] {
        let known = [
            "read": word("tokens.may-read"),
            "write": word("tokens.may-write"),
            "follow": word("tokens.may-follow"), "push": word("tokens.may-push"),
            "profile": word("tokens.may-profile"),
            "read:frames": word("tokens.may-read-frames"), "write:frames": word("tokens.may-write-frames"),
            "read:moderation": word("tokens.may-read-moderation"),
            "write:moderation": word("tokens.may-write-moderation"),
            "read:orders": word("tokens.may-read-orders"), "write:orders": word("tokens.may-write-orders"),
            "read:statuses": word("tokens.may-read-statuses"),
        ]
        return names.sorted().map { name in
            if let words = known[name] { return words }
            let parts = name.split(separator: ":")
            guard parts.count == 2 else { return name }
            let part = ["part": String(parts[1])]
            return parts[0] == "read" ? word("tokens.may-read-part", part) : word("tokens.may-write-part", part)
        }
    }
}
