internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
package import HTTPTypes
internal import Hummingbird

/// Connections, which both want (AR-6): one's own, and the page on which one asks, agrees, declines or ends; for people and programs.
struct ConnectionRoutes {
    let desk: BeatDesk
    let deals: DealDesk

    static let page = "\(BeatDesk.path)/connections"
    private static let api = "\(BeatDesk.api)/connections"

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get(Self.page, .signedIn) { request, context in
                let sights = try await deals.connected(to: try context.account)
                return desk.show(request, context) { token in
                    ConnectionListPage(
                        sights: sights, layout: desk.layout(token, at: "/connections"), links: desk.links
                    ).html
                }
            },
            .get("\(Self.page)/:handle", .active) { request, context in
                try await desk.answering(request) {
                    let (person, account) = (try await person(context), try context.account)
                    let state = try await deals.connections.connection(of: account, with: person.id)
                    return desk.show(request, context) { token in
                        let layout = desk.layout(token)
                        return layout.form(
                            title: word("deal.connection.with", ["who": person.name]), problem: .nothing,
                            content: """
                                <p role="status"></p><p>\(RequestPage.name(person, desk.links))</p><p>\(word("deal.connection.lead"))</p>
                                \(ConnectionActs(state: state, me: account, person: person, layout: layout, links: desk.links).html)
                                """)
                    }
                }
            },
        ]
            + Noun.allCases.map { noun in
                .post("\(Self.page)/:handle/\(noun.rawValue)", .active) { request, context, _ in
                    try await desk.answering(request) {
                        try await deals.connections.act(
                            noun.act, by: try context.account, with: try await person(context).id)
                        return desk.desk.goOn(to: Self.page)
                    }
                }
            }
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .signedIn, scope: "read:follows",
                summary: "Whom one is connected with, has asked, or is asked by"
            ) { request, context in
                try await desk.answering(request) {
                    let sights = try await deals.connected(to: try context.account)
                    return Response.json { json in
                        json.field("connections") { json in
                            json.array(sights) { json, sight in
                                json.object { json in
                                    json.field("with", sight.person.handle)
                                    json.field("state", sight.connection.phase.rawValue)
                                    json.field("asked", sight.connection.isAsker)
                                    json.field("since", sight.connection.since)
                                }
                            }
                        }
                    }.personal
                }
            }
        ]
            + Noun.allCases.map { noun in
                .api(
                    .post, "\(Self.api)/:handle/\(noun.rawValue)", .active, scope: "write:follows",
                    summary: noun.summary
                ) { request, context in
                    try await desk.answering(request) {
                        let person = try await person(context)
                        let state = try await deals.connections.act(
                            noun.act, by: try context.account, with: person.id)
                        return Response.json { json in
                            json.field("with", person.handle)
                            json.field("state", state.phase.rawValue)
                        }.personal
                    }
                }
            }
    }

    private func person(_ context: WebContext) async throws -> PostAuthor {
        guard let handle = context.parameters.get("handle"),
            let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle)
        else { throw ConnectionRefusal.notFound }
        return person
    }

    /// An act as an address.
    enum Noun: String, CaseIterable {
        case question, acceptance, refusal, end

        var act: ConnectionState.Act {
            switch self {
            case .question: .ask
            case .acceptance: .accept
            case .refusal: .decline
            case .end: .end
            }
        }

        var name: String {
            switch self {
            case .question: word("deal.connection.ask")
            case .acceptance: word("deal.connection.accept")
            case .refusal: word("deal.connection.decline")
            case .end: word("deal.connection.end")
            }
        }

        var summary: String {
            switch self {
            case .question: "Asks somebody to be connected; agrees where she has asked"
            case .acceptance: "Agrees to be connected"
            case .refusal: "Declines to be connected; nobody is told"
            case .end: "Ends a connection, or takes one's question back; nobody is told"
            }
        }
    }
}

/// What one may do about the tie with somebody, as buttons.
struct ConnectionActs {
    let state: ConnectionState?
    let me: AccountID
    let person: PostAuthor
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let told: HTML = words.map { "<p><b>\($0)</b></p>" } ?? .nothing
        return "\(told)\(HTML(joining: nouns.map(button)))"
    }

    private var isAsker: Bool { state?.asker == me }

    private var words: String? {
        switch state?.phase {
        case .asked?: isAsker ? word("deal.connection.asked.you") : word("deal.connection.asked")
        case .accepted?: word("deal.connection.accepted")
        case .declined?, .ended?, nil: nil
        }
    }

    private var nouns: [ConnectionRoutes.Noun] {
        switch state?.phase {
        case .asked?: isAsker ? [.end] : [.acceptance, .refusal]
        case .accepted?: [.end]
        case .declined?, .ended?, nil: [.question]
        }
    }

    private func button(_ noun: ConnectionRoutes.Noun) -> HTML {
        layout.button(noun.name, to: "\(links.prefix)\(ConnectionRoutes.page)/\(person.handle)/\(noun.rawValue)")
    }
}

/// Whom somebody is connected with, has asked, and is asked by.
struct ConnectionListPage {
    let sights: [ConnectionSight]
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let parts: [(String, String, (Connection) -> Bool)] = [
            ("asked", word("deal.connections.asked"), { $0.phase == .asked && !$0.isAsker }),
            ("accepted", word("deal.connections.accepted"), { $0.phase == .accepted }),
            ("asking", word("deal.connections.asking"), { $0.phase == .asked && $0.isAsker }),
        ]
        let sections = parts.map { id, title, belongs -> HTML in
            let items = sights.filter { belongs($0.connection) }.map(item)
            guard !items.isEmpty else { return .nothing }
            return """
                <section aria-labelledby="\(id)"><h2 class="section" id="\(id)">\(title)</h2>
                <ul class="beat-deals" role="list">\(HTML(joining: items, separator: "\n"))</ul></section>

                """
        }
        return layout.page(
            title: word("deal.way.connections"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("deal.way.connections"))</h1><p>\(word("deal.connection.lead"))</p>
                \(HTML(joining: sections))\(sights.isEmpty ? "<p class=\"empty\">\(word("deal.connections.none"))</p>" : .nothing)
                """)
    }

    private func item(_ sight: ConnectionSight) -> HTML {
        """
        <li>\(RequestPage.name(sight.person, links)) · \(Wording.time(sight.connection.since)) · \
        <a class="act" href="\(links.prefix)\(ConnectionRoutes.page)/\(sight.person.handle)">\(word("deal.connection.see"))</a></li>
        """
    }
}

/// A tie with the person at its other end.
struct ConnectionSight {
    let connection: Connection
    let person: PostAuthor
}

extension DealDesk {
    /// Hers, the newest first; without those whose other end has gone.
    func connected(to account: AccountID) async throws -> [ConnectionSight] {
        var sights: [ConnectionSight] = []
        for connection in try await connections.connections(of: account, limit: 500) {
            guard let person = try await library.author(connection.person) else { continue }
            sights.append(ConnectionSight(connection: connection, person: person))
        }
        return sights
    }
}

extension ConnectionRefusal: BoardRefusal {
    package var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .own, .noAccount: .forbidden
        case .none, .notYourTurn, .phase, .declined: .conflict
        case .tooOften: .tooManyRequests
        case .library(let error): error.status
        }
    }

    package var sentence: String {
        switch self {
        case .notFound: word("deal.refused.noperson")
        case .own: word("deal.refused.self")
        case .noAccount: word("beat.refused.inactive")
        case .none: word("deal.refused.noquestion")
        case .notYourTurn: word("deal.refused.otherturn")
        case .phase: word("deal.refused.moved")
        case .declined(let until): word("deal.refused.declined", ["time": Wording.instant(Accounts.date(until))])
        case .tooOften: word("beat.often")
        case .library: word("beat.refused.inside")
        }
    }

    package var wait: Int? {
        guard case .tooOften(_, let seconds) = self else { return nil }
        return seconds
    }
}
