internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// With which other servers the hub has to do, and what waits to be delivered to them.
struct DomainRoutes {
    let desk: ModerationDesk
    /// The hub speaks with other servers at all.
    let isOn: Bool

    private static let page = "/moderation/domains"

    var routes: [WebRoute] {
        [
            .get(Self.page, .moderators) { try await show($0, $1) },
            .post(Self.page, .moderators) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: Self.page) { () async throws(CaseError) in
                    let rule = ServerRules.Domain.Rule(rawValue: form["rule"]) ?? .blocked
                    try await desk.library.set(
                        rule, for: try Self.domain(form["domain"]), why: form["why"], by: account)
                }
            },
            .post("/moderation/domains/free", .moderators) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: Self.page) { () async throws(CaseError) in
                    try await desk.library.forget(domain: try Self.domain(form["domain"]), by: account)
                }
            },
            .post("/moderation/domains/allow-list", .owner) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: Self.page) { () async throws(CaseError) in
                    try await desk.library.setAllowList(form["allow-list"] == "on", by: account)
                }
            },
        ]
    }

    private static func domain(_ text: String) throws(CaseError) -> String {
        guard let domain = ServerRules.domain(typed: text) else { throw .refused(field: "domain", .domain) }
        return domain
    }

    private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        guard isOn else {
            return desk.show(word("moderation.domains"), request) { _ in
                "\(desk.menu(context))<p>\(word("moderation.domains.none"))</p><ul class=\"cases\"></ul>"
            }
        }
        let rules = try await desk.library.serverRules()
        let (waiting, queues) = try await desk.library.federationQueues()
        let isOwner = context.person?.role == .owner
        return desk.show(word("moderation.domains"), request) { token in
            """
            \(desk.menu(context))<p>\(word("moderation.domains.lead"))</p>
            \(isOwner ? allowList(rules, token) : .nothing)
            \(ModerationDesk.list(rules.domains.map { item($0, token) }, empty: .nothing))
            \(desk.form(Self.page, token: token, """
                <p class="field"><label for="domain">\(word("moderation.domains.domain"))</label>
                <input id="domain" name="domain" autocomplete="off" required></p>
                \(desk.choice("rule", word("moderation.domains.rule"), [
                    (value: "blocked", words: word("moderation.domains.blocked")),
                    (value: "allowed", words: word("moderation.domains.allowed")),
                ], chosen: "blocked"))
                \(desk.words("why", word("moderation.reason")))
                <p><button class="main">\(word("moderation.save"))</button></p>
                """))
            <h2>\(word("moderation.deliveries"))</h2>
            <p>\(word("moderation.deliveries.waiting", count: waiting))</p>
            \(ModerationDesk.list(queues.map(Self.queue), empty: .nothing))
            """
        }
    }

    private func allowList(_ rules: ServerRules, _ token: String) -> HTML {
        let checked: HTML = rules.isAllowList ? " checked" : .nothing
        return desk.form(
            "/moderation/domains/allow-list", token: token,
            """
            <p><label class="choice" for="allow-list"><input id="allow-list" name="allow-list" type="checkbox" \
            value="on"\(checked)> \(word("moderation.domains.allow-list"))</label></p>
            <p><button>\(word("moderation.save"))</button></p>
            """)
    }

    private func item(_ domain: ServerRules.Domain, _ token: String) -> HTML {
        let rule = domain.rule == .blocked ? word("moderation.domains.blocked") : word("moderation.domains.allowed")
        return """
            <li><p><bdi>\(domain.name)</bdi>: \(rule)</p><p dir="auto">\(domain.why)</p>
            \(desk.form("/moderation/domains/free", token: token, """
                <input type="hidden" name="domain" value="\(domain.name)">\
                <button aria-label="\(word("moderation.free-block", ["block": domain.name]))">\(word("moderation.free"))</button>
                """))</li>
            """
    }

    /// A server with what waits for it, and why.
    private static func queue(_ queue: FederationQueue) -> HTML {
        let state: HTML =
            if queue.rests {
                "<p>\(word("moderation.deliveries.rests"))</p>"
            } else if let next = queue.next {
                "<p>\(HTML.word("moderation.deliveries.next", ["when": Wording.time(next)]))</p>"
            } else {
                .nothing
            }
        let reason: HTML = queue.reason.isEmpty ? .nothing : "<p class=\"byline\">\(queue.reason)</p>"
        return """
            <li><p><bdi>\(queue.host)</bdi>: \(word("moderation.deliveries.waiting", count: queue.waiting))</p>\(state)\(reason)</li>
            """
    }
}
