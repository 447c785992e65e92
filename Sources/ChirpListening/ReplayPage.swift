package import ChirpWeb

/// What was heard, newest first, until when each is kept, and why one cannot be played (CH-12, CH-23).
package struct ReplayPage: Sendable {
    let clips: [LivePage.Clip]
    let older: Int64?
    let isFirst: Bool
    let prefix: String

    /// - Parameters:
    ///   - clips: newest first.
    ///   - older: the page that follows holds what is before this number (`/replay?before=N`); nil where there is none.
    ///   - isFirst: nothing newer is left out.
    ///   - prefix: `HubLinks.prefix`.
    package init(clips: [LivePage.Clip], older: Int64?, isFirst: Bool, prefix: String) {
        self.clips = clips
        self.older = older
        self.isFirst = isFirst
        self.prefix = prefix
    }

    package var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("replay.title")) – Chirp",
            head: """
                <meta name="robots" content="noindex">
                <link rel="stylesheet" href="\(prefix)/assets/\(Asset.style("live"))">
                """,
            script: PageScript(.replay, words: ["replay."]),
            body: """
                <h1>\(word("replay.title"))</h1>
                <p class="lead">\(word("replay.lead"))</p>
                \(list)
                \(pages)
                """)
    }

    private var list: HTML {
        guard clips.isEmpty else {
            let rows = clips.map { ClipRow(clip: $0, prefix: prefix, hasPlayer: true).html }
            return """
                <ol class="posts heard" role="list" data-heard>
                \(HTML(joining: rows, separator: "\n"))
                </ol>
                """
        }
        guard isFirst else { return "<p class=\"empty\">\(word("replay.end"))</p>" }
        return """
            <div class="empty"><h2>\(word("replay.none"))</h2><p>\(word("replay.none.how"))</p>
            <p class="actions"><a class="main" href="\(prefix)/live">\(word("live.title"))</a></p></div>
            """
    }

    private var pages: HTML {
        var items: [HTML] = []
        if !isFirst { items.append("<a href=\"\(prefix)/replay\">\(word("replay.newest"))</a>") }
        if let older {
            items.append("<a rel=\"next\" href=\"\(prefix)/replay?before=\(Int(older))\">\(word("replay.older"))</a>")
        }
        guard !items.isEmpty else { return .nothing }
        return
            "<nav class=\"pages\" aria-label=\"\(word("replay.pages"))\">\(HTML(joining: items, separator: " "))</nav>"
    }
}
