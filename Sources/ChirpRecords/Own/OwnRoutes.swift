internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What belongs to somebody: the challenges that she has set, saved or watches, her attempts and records; and of everybody what records they
/// hold, and have held (OU-6).
struct OwnRoutes {
    let desk: RecordDesk

    /// One of the lists of challenges.
    enum Kind: String, CaseIterable {
        case set, saved, watched

        var name: String {
            switch self {
            case .set: word("challenge.own.set")
            case .saved: word("challenge.own.saved")
            case .watched: word("challenge.own.watched")
            }
        }
    }

    private static let perPage = 24

    var routes: [WebRoute] {
        Kind.allCases.flatMap(lists) + [
            .get("\(RecordDesk.path)/mine", .signedIn) { request, context in try await mine(request, context) },
            .get("\(RecordDesk.path)/by/:handle") { request, context in
                let person = try await person(context)
                let page = try await records(of: person, request, context)
                return desk.show(request, context) { page($0) }
            },
            .api(
                .get, "\(RecordDesk.api)/by/:handle/records", .everybody, scope: "read:statuses",
                summary: "The records that somebody holds, and has held, the newest first"
            ) { _, context in
                guard let handle = context.parameters.get("handle"),
                    let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle)
                else { throw Problem(.notFound, "not-found", "There is no such person") }
                let spans = try await desk.holds.records(of: person.id, isNow: false, for: context.viewer, limit: 500)
                return desk.answer(
                    try .json(HeldDocument(records: spans.map { RecordDocument($0, links: desk.links) })), context)
            },
            .api(
                .get, "\(RecordDesk.api)/mine", .signedIn, scope: "read:statuses",
                summary: "One's own attempts, the newest first",
                query: [.number("before", "what the answer before named as next"), .number("limit", "from 1 to 100")]
            ) { request, context in
                let before = try request.cursor("before", from: 1) ?? .end
                let limit = try request.number("limit", in: 1...100) ?? 40
                let (found, _) = try await attempts(before: before, limit: limit, context)
                return try .json(OwnAttemptsDocument(found, limit: limit, links: desk.links)).personal
            },
        ]
    }

    private struct HeldDocument: Encodable { let records: [RecordDocument] }

    private func lists(_ kind: Kind) -> [WebRoute] {
        [
            .get("\(RecordDesk.path)/\(kind.rawValue)", .signedIn) { request, context in
                let (found, next) = try await challenges(kind, request, context)
                let entries = try await desk.entries(found, for: context.viewer)
                return desk.show(request, context) { token in
                    let list = ChallengeList(entries: entries, now: desk.now, links: desk.links)
                    let more = ChallengeList.pages(
                        "\(RecordDesk.path)/\(kind.rawValue)", PercentEncodedCursor.text(next), hasNext: next != nil,
                        links: desk.links)
                    return RecordLayout(links: desk.links, token: token, place: kind == .saved ? .saved : nil).page(
                        title: kind.name, head: RecordLayout.unlisted,
                        body: """
                            <h1>\(kind.name)</h1>
                            \(Self.ways(kind, links: desk.links))\(list.html(empty: word("challenge.own.none")))\(more)
                            """)
                }
            },
            .api(
                .get, "\(RecordDesk.api)/\(kind.rawValue)", .signedIn,
                scope: kind == .set ? "read:statuses" : ["read:bookmarks", "read:statuses"],
                summary: kind == .set ? "Challenges that one has set" : "Challenges that were \(kind.rawValue)",
                query: [.text("after", isRequired: false)]
            ) { request, context in
                let (found, next) = try await challenges(kind, request, context)
                let entries = try await desk.entries(found, for: context.viewer)
                return try .json(ChallengeListDocument(entries, next: next, links: desk.links)).personal
            },
        ]
    }

    private func challenges(
        _ kind: Kind, _ request: Request, _ context: WebContext
    ) async throws -> (found: [Challenge], next: String?) {
        var query = ItemQuery(board: Records.board)
        query.after = request.asked["after"]
        query.limit = Self.perPage
        switch kind {
        case .set:
            query.author = try context.account
            query.states = Set(Item.State.allCases)
        case .saved, .watched:
            query.marked = kind == .saved ? .save : .watch
            query.states = [.open, .settled, .expired]
        }
        let page = try await desk.challenges.challenges(query, for: context.viewer)
        return (page.found, page.next)
    }

    static func ways(_ current: Kind?, links: HubLinks) -> HTML {
        let ways = Kind.allCases.map { kind -> HTML in
            let mark: HTML = kind == current ? " aria-current=\"page\"" : .nothing
            return """
                <li><a class="act" href="\(links.prefix)\(RecordDesk.path)/\(kind.rawValue)"\(mark)>\(kind.name)</a></li>
                """
        }
        return """
            <nav aria-label="\(word("challenge.own"))"><ul class="tags challenge-feeds" role="list">\(HTML(joining: ways))</ul></nav>

            """
    }

    /// With the challenges that they are at.
    private func attempts(
        before: PageCursor = .end, limit: Int, _ context: WebContext
    ) async throws -> (found: [OwnAttempt], next: Int64?) {
        let attempts = try await desk.attempts.attempts(
            .person(try context.account), for: context.viewer, before: before, limit: limit)
        let ids = Set(attempts.map(\.challenge))
        let challenges = try await desk.challenges.challenges(Array(ids), for: context.viewer)
        var terms: [HubID: [Int: RuleTerms]] = [:]
        for challenge in challenges {
            terms[challenge.id] = [challenge.rule.version: challenge.rule.terms]
            // Most are at the newest version; of the others the rules are asked for.
            guard attempts.contains(where: { $0.challenge == challenge.id && $0.version != challenge.rule.version })
            else { continue }
            for rule in try await desk.challenges.rules(of: challenge.id, for: context.viewer) {
                terms[challenge.id]?[rule.version] = rule.terms
            }
        }
        let named = Dictionary(challenges.map { ($0.id, $0) }) { first, _ in first }
        let found = attempts.map {
            OwnAttempt(attempt: $0, challenge: named[$0.challenge], terms: terms[$0.challenge]?[$0.version])
        }
        return (found, attempts.count == limit ? attempts.last?.sequence : nil)
    }

    private func mine(_ request: Request, _ context: WebContext) async throws -> Response {
        let before = try request.cursor("before", from: 1) ?? .end
        let (found, next) = try await attempts(before: before, limit: 40, context)
        let account = try context.account
        let spans = try await desk.holds.records(of: account, isNow: false, for: context.viewer)
        let held = try await HeldRecords(spans, for: context.viewer, desk)
        let handle = context.person?.handle ?? ""
        let visit = try await desk.visits.visit(of: account)
        return desk.show(request, context) { token in
            let announcing = AnnouncingRoutes.section(visit.isAnnounced, token: token ?? "", links: desk.links)
            let rows = found.map { $0.html(desk.links) }
            let list: HTML =
                rows.isEmpty
                ? "<p class=\"empty\">\(word("challenge.mine.none"))</p>"
                : "<ol class=\"challenge-attempts\" role=\"list\">\(HTML(joining: rows, separator: "\n"))</ol>"
            let more = ChallengeList.pages(
                "\(RecordDesk.path)/mine", "before=\(next ?? 0)", hasNext: next != nil, links: desk.links)
            let title = word("challenge.mine")
            return RecordLayout(links: desk.links, token: token, place: .profile).page(
                title: title, head: RecordLayout.unlisted,
                body: """
                    <h1>\(title)</h1>
                    <p class="byline"><a href="\(desk.prefix)/@\(handle)">\(word("challenge.mine.profile"))</a></p>
                    \(Self.ways(nil, links: desk.links))
                    <h2 class="section">\(word("challenge.held.now"))</h2>\(held.html(isNow: true))
                    <h2 class="section">\(word("challenge.mine.attempts"))</h2>\(list)\(more)
                    <h2 class="section">\(word("challenge.held.before"))</h2>\(held.html(isNow: false))
                    \(announcing)
                    """)
        }
    }

    private func person(_ context: WebContext) async throws -> PostAuthor {
        guard let handle = context.parameters.get("handle"),
            let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle)
        else { throw HTTPError(.notFound) }
        return person
    }

    private func records(
        of person: PostAuthor, _ request: Request, _ context: WebContext
    ) async throws -> (String?) -> HTML {
        let spans = try await desk.holds.records(of: person.id, isNow: false, for: context.viewer, limit: 500)
        let held = try await HeldRecords(spans, for: context.viewer, desk)
        var query = ItemQuery(board: Records.board)
        query.author = person.id
        query.states = [.open, .settled, .expired]
        query.after = request.asked["after"]
        query.limit = Self.perPage
        let page = try await desk.challenges.challenges(query, for: context.viewer)
        let entries = try await desk.entries(page.found, for: context.viewer)
        let (links, now) = (desk.links, desk.now)
        return { token in
            let title = word("challenge.by", ["name": person.name])
            let more = ChallengeList.pages(
                "\(RecordDesk.path)/by/\(person.handle)", PercentEncodedCursor.text(page.next),
                hasNext: page.next != nil, links: links)
            return RecordLayout(links: links, token: token).page(
                title: title,
                body: """
                    <h1 dir="auto">\(title)</h1>
                    <p class="byline"><a href="\(links.prefix)/@\(person.handle)"><bdi>@\(person.handle)</bdi></a></p>
                    <h2 class="section">\(word("challenge.held.now"))</h2>\(held.html(isNow: true))
                    <h2 class="section">\(word("challenge.held.before"))</h2>\(held.html(isNow: false))
                    <h2 class="section">\(word("challenge.by.set"))</h2>
                    \(ChallengeList(entries: entries, now: now, links: links).html(empty: word("challenge.own.none")))\(more)
                    """)
        }
    }
}
