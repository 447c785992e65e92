internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb

/// What the board's pages have in common: its ways, style and script.
struct RecordLayout: BoardLayout {
    let links: HubLinks
    /// Of the page's forms and scripts; nil for visitors.
    var token: String?
    /// Further things that the script has to know.
    var facts: [String: String] = [:]
    /// Of a page with a map.
    var ground: MapGround?
    /// The way that leads to this page.
    var place: ChallengePlace?
    /// Beginnings of the keys of further texts that the script needs.
    var words: [String] = []

    func page(title: String, head: HTML, body: HTML) -> HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: "\(ground?.head ?? .nothing)\(head)",
            script: PageScript(
                .records, words: ["challenge.script."] + (ground == nil ? [] : ["map.script."]) + words,
                token: token ?? "", facts: facts, hasStyle: true),
            body: """
                <nav class="challenge-ways" aria-label="\(word("challenge.board"))">\(HTML(joining: ways))\
                <a href="\(base)/map">\(word("challenge.way.map"))</a>\(queue)\
                <a class="challenge-new" href="\(base)/new">\(word("challenge.way.new"))</a></nav>
                \(body)
                """)
    }

    private var base: String { "\(links.prefix)\(RecordDesk.path)" }

    /// The five places (OU-18), as far as the asker has them: notices, saved and profile are of who is signed in.
    private var ways: [HTML] {
        let ways = ChallengePlace.allCases.filter { token != nil || $0 == .local || $0 == .global }
        return ways.map { way in
            let current: HTML = way == place ? " aria-current=\"page\"" : .nothing
            return "<a href=\"\(links.prefix)\(way.address)\"\(current)>\(way.name)</a>"
        }
    }

    private var queue: HTML {
        token == nil ? .nothing : "<a href=\"\(base)/queue\">\(word("challenge.way.queue"))</a>"
    }
}

extension ChallengePlace {
    /// Where it is for who is signed in; her own profile by an address that is the same for everybody.
    var address: String { self == .profile ? "\(RecordDesk.path)/mine" : path("") ?? RecordDesk.path }

    var name: String {
        switch self {
        case .local: word("challenge.way.local")
        case .global: word("challenge.way.global")
        case .notices: word("challenge.way.notices")
        case .saved: word("challenge.way.saved")
        case .profile: word("challenge.way.profile")
        }
    }
}
