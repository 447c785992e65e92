/// What all pages have in common.
package struct Layout {
    /// The path below which a reverse proxy shows the site; empty or beginning with a slash.
    let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// - Parameters:
    ///   - title: the page's own name.
    ///   - head: further elements of the head.
    ///   - script: what makes the page more than it is without.
    ///   - body: the content of `main`.
    package func page(title: String, head: HTML = .nothing, script: PageScript? = nil, body: HTML) -> HTML {
        document(
            title: title, head: head, script: script,
            body: """
                <a class="skip" href="#main">\(word("layout.skip"))</a>
                <header class="top"><div class="frame"><a class="brand" href="\(prefix)/">\(Icon.mark)<span>Chirp</span></a>\
                <nav aria-label="\(word("layout.nav"))">\(way("/live", word("layout.live")))\(way("/record", word("layout.record")))\
                \(HTML(joining: ShowsBoards.current.map { way($0.path, $0.title()) }))\
                \(way("/messages", word("layout.messages")))\(way("/notices", word("layout.notices")))\
                \(way("/search", word("layout.search")))\(way("/settings", word("layout.settings")))</nav></div></header>
                <aside class="staging" data-kept hidden aria-label="\(word("offline.title"))"><p>\(word("kept.note")) <time></time></p></aside>
                <main id="main" class="frame" tabindex="-1">
                \(body)\(told(body))
                </main>
                <footer class="frame"><p>\(word("layout.motto"))</p><nav aria-label="\(word("layout.foot"))">\
                \(way("/help", word("layout.help")))\(way("/about", word("layout.about")))\
                <a class="feed" href="\(prefix)/feed.json">\(word("layout.feed"))</a></nav></footer>
                """)
    }

    private func way(_ path: String, _ name: String) -> HTML { "<a href=\"\(prefix)\(path)\">\(name)</a>" }

    /// Where scripts say something to those who do not look, one place for news and one for what went wrong: each page has them from
    /// the start, since screen readers follow only what is there already. A page may have its own.
    private func told(_ body: HTML) -> HTML {
        let status: HTML =
            body.contains("role=\"status\"")
            ? .nothing : "\n<p class=\"visually-hidden\" role=\"status\" data-status></p>"
        let alert: HTML =
            body.contains("role=\"alert\"")
            ? .nothing : "\n<p class=\"visually-hidden\" role=\"alert\" data-alert></p>"
        return "\(status)\(alert)"
    }

    /// A page without head and foot: to stand in other pages, or to fill a screen.
    ///
    /// - Parameter kind: the class of `main`.
    package func bare(title: String, kind: String = "embed", script: PageScript? = nil, body: HTML) -> HTML {
        document(title: title, head: .nothing, script: script, body: "<main class=\"\(kind)\">\(body)</main>")
    }

    private func document(title: String, head: HTML, script: PageScript?, body: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="\(Language.current.rawValue)" data-prefix="\(prefix)">
        <head>
        <meta charset="utf-8">
        <title>\(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" type="image/svg+xml" href="\(prefix)/assets/\(Asset.icon.name)">
        <link rel="stylesheet" href="\(prefix)/assets/\(Asset.style("chirp"))">
        <script type="module" fetchpriority="low" src="\(prefix)/assets/\(Asset.script("chirp"))"></script>
        <link rel="manifest" href="\(prefix)/manifest.webmanifest">
        <link rel="alternate" type="application/feed+json" title="Chirp" href="\(prefix)/feed.json">
        \(script?.html(prefix: prefix) ?? PageScript.plain)\(head)
        </head>
        <body>
        \(Staging.banner)\(body)
        </body>
        </html>

        """
    }
}

extension Layout {
    /// A page that is for one person and in no search engine: its heading, what was wrong with what was sent, and the rest.
    ///
    /// - Parameters:
    ///   - title: the page's own name, which is its heading too.
    ///   - head: further elements of the head.
    ///   - script: what makes the page more than it is without.
    ///   - problem: a sentence without its full stop.
    package func form(
        title: String, head: HTML = .nothing, script: PageScript? = nil, problem: String? = nil, body: HTML
    ) -> HTML {
        let sentence: HTML = problem.map { "<p>\($0).</p>" } ?? .nothing
        return page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">\(head)", script: script,
            body: """
                <div class="form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(sentence)</div>
                \(body)</div>
                """)
    }
}
