internal import ChirpBoards
internal import ChirpCommunity
package import ChirpWeb

/// What the board's pages have in common: its ways, style and script.
package struct BeatLayout: BoardLayout {
    let links: HubLinks
    /// Of the page's forms and scripts; nil for visitors.
    package var token: String?
    /// Of other parts of the board.
    var ways: [(path: String, name: @Sendable () -> String)] = []
    /// The largest upload, in bytes; nil: this hub takes none.
    var most: Int64?
    /// The way that leads to this page.
    var place: String?

    package func page(title: String, head: HTML, body: HTML) -> HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: head,
            script: PageScript(
                .beats, words: ["beat.script."], token: token ?? "", facts: most.map { ["most": "\($0)"] } ?? [:],
                hasStyle: true),
            body: """
                <nav class="beat-ways" aria-label="\(word("beat.board"))">\(HTML(joining: shown))</nav>
                \(body)
                """)
    }

    /// The sign that something is waited for; script shows it.
    static var waiting: HTML { "<progress aria-label=\"\(word("beat.waiting"))\" hidden></progress>" }

    private var shown: [HTML] {
        var all: [(String, String)] = [("?kind=beat", word("beat.way.beats")), ("?kind=open", word("beat.way.opens"))]
        if token != nil {
            all += [("/archive", word("beat.way.archive")), ("/mine", word("beat.way.mine"))]
            all += ways.map { ($0.path, $0.name()) }
        }
        return all.map { path, name -> HTML in
            let current: HTML = path == place ? " aria-current=\"page\"" : .nothing
            return "<a href=\"\(links.prefix)\(BeatDesk.path)\(path)\"\(current)>\(name)</a>"
        } + ["<a class=\"beat-new\" href=\"\(links.prefix)\(BeatDesk.path)/new\">\(word("beat.way.new"))</a>"]
    }
}
