internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// What a licence says, for anybody who has its address.
struct PaperPage {
    let grant: Grant
    let verdict: GrantDocument.Verdict
    /// A file was compared; otherwise what is kept here.
    let isFile: Bool
    let now: Date
    let layout: BeatLayout
    let links: HubLinks
    let isVisitor: Bool

    var html: HTML {
        var quiet = layout
        // The ways of those who are signed in are not for visitors, who have a token too here.
        if isVisitor { quiet.ways = [] }
        let says = grant.says
        return quiet.page(
            title: word("beat.paper.title"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("beat.paper.title"))</h1>
                <div class="beat-state" role="status" data-paper-verdict="\(verdict.rawValue)"><p><b>\(state)</b></p><p>\(checked)</p></div>
                <dl class="beat-heard">\(HTML(joining: facts(says)))</dl>
                <h2 class="section">\(word("beat.paper.terms"))</h2>
                \(OfferView.terms(says.terms))
                <h2 class="section">\(word("beat.sale.files"))</h2>
                <ul>\(HTML(joining: says.files.map { "<li dir=\"auto\">\($0.name) · \(Wording.size($0.bytes))<br><code class=\"beat-code\">\($0.sha256)</code></li>" }))</ul>
                <section class="form" aria-labelledby="check"><h2 class="section" id="check">\(word("beat.paper.check"))</h2>
                <p>\(word("beat.paper.check.lead"))</p>
                <form method="post" enctype="multipart/form-data" action="\(links.prefix)\(SaleDesk.licence(grant.id))" data-paper="\(grant.document.sha256)">\
                <input type="hidden" name="token" value="\(layout.token ?? "")">
                <p class="field"><label for="paper">\(word("beat.paper.file"))</label>
                <input id="paper" name="paper" type="file" accept="application/pdf,.pdf" required></p>
                <p><button class="main">\(word("beat.paper.send"))</button></p><p role="status" data-paper-told></p></form></section>
                <p><a class="act" href="\(links.prefix)\(BeatDesk.path)/licences/keys.pem">\(word("beat.paper.keys"))</a></p>
                """)
    }

    private var state: String {
        if let ending = grant.ending {
            let values = ["time": Wording.instant(ending.at)]
            return ending.why == .refunded ? word("beat.paper.refunded", values) : word("beat.paper.ended", values)
        }
        if let end = grant.expires, end <= now { return word("beat.paper.ended", ["time": Wording.instant(end)]) }
        return word("beat.paper.inforce")
    }

    private var checked: String {
        switch (verdict, isFile) {
        case (.valid, true): word("beat.paper.valid.file")
        case (.valid, false): word("beat.paper.valid")
        case (.changed, true): word("beat.paper.changed.file")
        case (.changed, false): word("beat.paper.changed")
        case (.unknownKey, _): word("beat.paper.unknownkey")
        }
    }

    private func facts(_ says: GrantStatement) -> [HTML] {
        let rows: [(String, HTML)] = [
            (word("beat.paper.work"), "<bdi>\(says.title)</bdi>"),
            (word("beat.paper.licence"), "<bdi>\(says.licenceName)</bdi>"),
            (word("beat.paper.licensor"), "<bdi>\(says.licensor)</bdi>"),
            (word("beat.paper.licensee"), "<bdi>\(says.licensee)</bdi>"),
            (word("beat.paper.sold"), Wording.time(says.sold)),
            (word("beat.paper.price"), "\(says.terms.price.words(in: .here))"),
            (word("beat.paper.number"), "<code class=\"beat-code\">\(grant.id.text)</code>"),
            ("SHA-256", "<code class=\"beat-code\">\(grant.document.sha256)</code>"),
        ]
        return rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }
    }
}
