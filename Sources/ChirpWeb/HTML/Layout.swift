/// What all pages have in common.
package struct Layout {
    /// The path below which a reverse proxy shows the site; empty or beginning with a slash.
    let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// - Parameters:
    ///   - title: the page's own name.
    ///   - head: further elements of the head.
    ///   - body: the content of `main`.
    package func page(title: String, head: HTML = .nothing, body: HTML) -> HTML {
        document(
            title: title, head: head,
            body: """
                <a class="skip" href="#main">Skip to content</a>
                <header class="top"><div class="frame"><a class="brand" href="\(prefix)/">\(Icon.mark)<span>Chirp</span></a>\
                <nav aria-label="Hub"><a href="\(prefix)/search">Search</a><a href="\(prefix)/settings">Settings</a>\
                <a class="feed" href="\(prefix)/feed.json">Feed</a></nav></div></header>
                <main id="main" class="frame" tabindex="-1">
                \(body)\(told(body))
                </main>
                <footer class="frame"><p>Sound into posts, posts into sound.</p></footer>
                """)
    }

    /// Where scripts say something to those who do not look, one place for news and one for what went wrong: each page has them from
    /// the start, since screen readers follow only what is there already. A page may have its own.
    private func told(_ body: HTML) -> HTML {
        let status: HTML =
            body.text.contains("role=\"status\"")
            ? .nothing : "\n<p class=\"visually-hidden\" role=\"status\" data-status></p>"
        let alert: HTML =
            body.text.contains("role=\"alert\"")
            ? .nothing : "\n<p class=\"visually-hidden\" role=\"alert\" data-alert></p>"
        return "\(status)\(alert)"
    }

    /// A page without the frame, to stand in other pages.
    package func bare(title: String, body: HTML) -> HTML {
        document(title: title, head: .nothing, body: "<main class=\"embed\">\(body)</main>")
    }

    private func document(title: String, head: HTML, body: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" type="image/svg+xml" href="\(prefix)/assets/\(Asset.icon.name)">
        <link rel="stylesheet" href="\(prefix)/assets/\(Asset.stylesheet.name)">
        <script src="\(prefix)/assets/\(Asset.script.name)" defer></script>
        <link rel="alternate" type="application/feed+json" title="Chirp" href="\(prefix)/feed.json">
        \(head)
        </head>
        <body>
        \(Staging.banner)\(body)
        </body>
        </html>

        """
    }
}
