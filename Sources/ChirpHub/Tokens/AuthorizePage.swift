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
            title: "Authorise – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>Let a program in?</h1>
                <p role="status"></p><p role="alert"></p>
                <p>A program that calls itself <strong><bdi>\(request.app.name)</bdi></strong> wants to use your account
                <bdi>@\(handle)</bdi>. \(whereItIs)</p>
                <p>It could:</p>
                <ul>\(HTML(joining: request.scopes.words.map { "<li>\($0)</li>" }))</ul>
                <p>It never learns your password. You can end this under Settings, Tokens.</p>
                <form method="post" action="\(prefix)/oauth/authorize">
                <input type="hidden" name="token" value="\(token)">\(HTML(joining: fields))
                <p><button class="main">Authorise</button> <button name="answer" value="no">Refuse</button></p>
                </form></div>
                """)
    }

    private var whereItIs: HTML {
        if request.redirect == .outOfBand { return "You are shown a code then, to type into it." }
        return "You are sent to <bdi>\(request.redirect.origin)</bdi> then."
    }
}

extension Scopes {
    /// What they mean to a person.
    var words: [String] {
        let wholes = [
            "read": "read all that you can read here, your messages too",
            "write": "publish, follow, send messages and change things in your name",
            "follow": "follow and block people in your name", "push": "be told of what happens to you",
            "profile": "learn your name and picture",
        ]
        return names.sorted().map { name in
            if let words = wholes[name] { return words }
            let parts = name.split(separator: ":")
            guard parts.count == 2 else { return name }
            return parts[0] == "read" ? "read: \(parts[1])" : "write and change: \(parts[1])"
        }
    }
}
