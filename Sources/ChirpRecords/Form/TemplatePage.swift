internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What is measured is chosen first: each way leads to a form that is filled in already.
struct TemplatePage {
    let token: String
    let links: HubLinks

    var html: HTML {
        let title = word("challenge.new.title")
        let items = RuleTemplate.allCases.map { template -> HTML in
            """
            <li><a href="\(links.prefix)\(RecordDesk.path)/new?template=\(template.rawValue)"><b>\(template.name)</b>\
            <span>\(template.terms.gist)</span></a></li>
            """
        }
        return RecordLayout(links: links, token: token).page(
            title: title, head: RecordLayout.unlisted,
            body: """
                <h1>\(title)</h1>
                <p class="byline">\(word("challenge.new.lead"))</p>
                <ul class="challenge-templates" role="list">\(HTML(joining: items, separator: "\n"))</ul>
                """)
    }
}
