internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// Somebody's conversations, and the form that begins one.
struct MessagesPage {
    let threads: [(thread: MessageThread, newest: HubPost)]
    let older: Int64?
    /// The place up to which the feed was read; nil where nothing new belongs.
    let upTo: Int64?
    let me: AccountID
    let token: String
    /// Nil for who may not write now.
    let form: MessageForm?
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("message.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: .messages(upTo: upTo, token: token),
            body: """
                <h1>\(word("message.title"))</h1>
                <p>\(word("message.how"))</p>
                \(form?.html ?? .nothing)
                <h2 class="section">\(word("message.list"))</h2>
                <div data-messages>\(list)</div>\(next)
                """)
    }

    private var list: HTML {
        guard !threads.isEmpty else { return "<p class=\"empty\">\(word("message.none"))</p>" }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: threads.map(item), separator: "\n"))</ol>"
    }

    private func item(_ thread: MessageThread, _ newest: HubPost) -> HTML {
        let unread: HTML =
            thread.unread > 0
            ? " <strong class=\"unread\">\(word("message.unread", count: thread.unread))</strong>" : .nothing
        let own: HTML = newest.author.id == me ? "\(word("message.own")) " : .nothing
        let said: HTML =
            newest.clip.map { "\(word("message.clip")): \($0.shownTitle(newest))" } ?? "\(newest.firstWords)"
        return """
            <li class="post" data-place="\(Int(newest.sequence))" \
            data-row="\(thread.id) \(Int(newest.sequence)) \(thread.unread)"\(newest.author.id == me ? " data-own" : .nothing)>\
            <div class="text"><h3 dir="auto"><a href="\(links.prefix)/messages/\(thread.id)">\
            \(thread.names)</a>\(unread)</h3>
            <p class="words" dir="auto">\(own)\(said)</p><p class="byline">\(Wording.time(newest.created))</p></div></li>
            """
    }

    private var next: HTML {
        guard let older else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" \
            href="\(links.prefix)/messages?before=\(Int(older))">\(word("message.older"))</a></nav>
            """
    }
}

extension PageScript {
    /// - Parameter upTo: the place up to which the feed was read; nil where nothing new belongs.
    static func messages(upTo: Int64?, token: String, facts: [String: String] = [:]) -> PageScript {
        let place = upTo.map { ["after": "\($0)"] } ?? [:]
        return PageScript(
            .messages, words: ["message."], token: token, facts: facts.merging(place) { given, _ in given })
    }
}

extension MessageThread {
    /// Who else is in it.
    var names: String {
        people.isEmpty ? word("message.gone") : people.map { "\($0.name) (@\($0.handle))" }.joined(separator: ", ")
    }
}

/// The form by which somebody writes.
struct MessageForm {
    /// Where it is sent, without the prefix.
    let action: String
    /// To whom; nil where that is known.
    let to: String?
    let typed: String
    let problem: WordsRefusal?
    let token: String
    let links: HubLinks
    /// Those of the conversation.
    var people: [PostAuthor] = []

    var html: HTML {
        """
        <form class="form" id="answer" method="post" action="\(links.prefix)\(action)">
        <input type="hidden" name="token" value="\(token)">\
        <input type="hidden" name="key" value="\(HubID().text)">
        <div role="alert" class="problem" id="answer-problem">\(problem.map { "<p>\($0.sentence)</p>" } ?? .nothing)</div>
        \(to.map(names) ?? .nothing)
        <p class="field"><label for="words">\(word("message.words"))</label>
        <textarea id="words" name="text" rows="3" dir="auto" required\(isWrong(ofName: false) ? " aria-describedby=\"answer-problem\"" : .nothing)\
        \(invalid(ofName: false))>\(typed)</textarea></p>
        <p class="actions"><button class="main">\(word("message.send"))</button>
        <a class="quiet" href="\(links.prefix)/record\(voice)">\(word("message.voice"))</a></p>
        </form>
        """
    }

    private func names(_ to: String) -> HTML {
        """
        <p class="field"><label for="to">\(word("message.to"))</label>\
        <span class="hint" id="to-hint">\(word("message.to.hint"))</span>
        <input id="to" name="to" autocomplete="off" autocapitalize="none" spellcheck="false" required \
        aria-describedby="to-hint\(isWrong(ofName: true) ? " answer-problem" : "")" value="\(to)"\(invalid(ofName: true))></p>
        """
    }

    /// The way to a message by voice; who it is for goes along where that is one.
    private var voice: HTML {
        guard people.count == 1, let person = people.first else { return .nothing }
        return "?to=@\(person.handle)"
    }

    private func isWrong(ofName: Bool) -> Bool {
        guard let problem else { return false }
        var isNobody = false
        if case .nobody = problem { isNobody = true }
        return isNobody == ofName
    }

    private func invalid(ofName: Bool) -> HTML { isWrong(ofName: ofName) ? " aria-invalid=\"true\"" : .nothing }
}
