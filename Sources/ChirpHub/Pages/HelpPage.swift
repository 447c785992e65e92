internal import ChirpCommunity
internal import ChirpWeb

/// How things are done here, and what to do where they do not work (CH-19, CH-23, CH-26).
struct HelpPage {
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("help.title")) – Chirp",
            body: """
                <div class="prose"><h1>\(word("help.title"))</h1>
                \(contents)
                \(section("record", word("help.record"), record))
                \(section("microphone", word("help.microphone"), microphone))
                \(section("live", word("help.live"), live))
                \(section("replay", word("help.replay"), "<p>\(word("help.replay.text"))</p>"))
                \(section("frame", word("help.frame"), "<p>\(word("help.frame.text"))</p>"))
                \(section("kept", word("help.kept"), kept))
                \(section("keys", word("help.keys"), keys))
                \(section("browsers", word("help.browsers"), browsers))</div>
                """)
    }

    private var contents: HTML {
        let items = [
            ("record", word("help.record")), ("microphone", word("help.microphone")), ("live", word("help.live")),
            ("replay", word("help.replay")), ("frame", word("help.frame")), ("kept", word("help.kept")),
            ("keys", word("help.keys")), ("browsers", word("help.browsers")),
        ].map { item -> HTML in "<li><a href=\"#\(item.0)\">\(item.1)</a></li>" }
        return
            "<nav aria-label=\"\(word("help.contents"))\"><ul class=\"tags\" role=\"list\">\(HTML(joining: items))</ul></nav>"
    }

    private func section(_ id: String, _ title: String, _ body: HTML) -> HTML {
        "<section aria-labelledby=\"\(id)\"><h2 id=\"\(id)\">\(title)</h2>\(body)</section>"
    }

    private func way(_ path: String, _ name: String) -> HTML { "<a href=\"\(links.prefix)\(path)\">\(name)</a>" }

    private var record: HTML {
        let record = way("/record", word("layout.record"))
        return """
            <ol><li>\(HTML.word("help.record.1", ["link": record]))</li><li>\(word("help.record.2"))</li>
            <li>\(word("help.record.3"))</li><li>\(word("help.record.4"))</li></ol>
            <p>\(word("help.record.safe"))</p>
            """
    }

    private var live: HTML {
        let live = way("/live", word("layout.live"))
        return """
            <ol><li>\(HTML.word("help.live.1", ["link": live]))</li><li>\(word("help.live.2"))</li>
            <li>\(word("help.live.3"))</li></ol>
            <p>\(word("help.live.more"))</p>
            """
    }

    private var kept: HTML {
        """
        <dl><div><dt>\(word("help.kept.store"))</dt><dd>\(word("help.kept.store.text"))</dd></div>
        <div><dt>\(word("help.kept.player"))</dt><dd>\(word("help.kept.player.text"))</dd></div></dl>
        """
    }

    private var microphone: HTML {
        table(
            head: (word("help.cause"), word("help.cure")),
            [
                ("\(word("help.cause.address"))", "\(word("help.cure.address"))"),
                ("\(word("help.cause.permission"))", "\(word("help.cure.permission"))"),
                ("\(word("help.cause.none"))", "\(word("help.cure.none"))"),
                ("\(word("help.cause.used"))", "\(word("help.cure.used"))"),
                ("\(word("help.cause.silent"))", "\(word("help.cure.silent"))"),
            ], below: "<p>\(word("help.microphone.why"))</p>")
    }

    private var keys: HTML {
        table(
            head: (word("help.key"), word("help.act")),
            [
                ("<kbd>\(word("player.space"))</kbd>", "\(word("help.act.play"))"),
                ("<kbd>←</kbd> <kbd>→</kbd>", "\(word("help.act.step"))"),
                ("<kbd>Page Up</kbd> <kbd>Page Down</kbd>", "\(word("help.act.page"))"),
                ("<kbd>M</kbd>", "\(word("help.act.mute"))"),
                ("<kbd>Tab</kbd> <kbd>Enter</kbd>", "\(word("help.act.tab"))"),
            ], below: "<p>\(word("help.keys.where"))</p>")
    }

    private var browsers: HTML {
        """
        <p>\(word("help.browsers.oldest"))</p>
        <p>\(word("help.browsers.older"))</p>
        """
    }

    private func table(head: (String, String), _ rows: [(HTML, HTML)], below: HTML) -> HTML {
        let rows = rows.map { row -> HTML in "<tr><th scope=\"row\">\(row.0)</th><td>\(row.1)</td></tr>" }
        return """
            <table><thead><tr><th scope="col">\(head.0)</th><th scope="col">\(head.1)</th></tr></thead>
            <tbody>\(HTML(joining: rows, separator: "\n"))</tbody></table>\(below)
            """
    }
}
