internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The log, and what holds for the whole hub: who may sign up, from where not, boards.
struct ModerationRoutes {
    let desk: ModerationDesk
    /// Those that this hub shows.
    let boards: [Board]

    private static let perPage = 50

    var routes: [WebRoute] {
        [
            .get("/moderation/log", .moderators) { try await log($0, $1) },
            .get("/moderation/boards", .owner) { try await listBoards($0, $1) },
            .get("/moderation/registration", .owner) { try await registration($0, $1) },
            .post("/moderation/registration", .owner) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: "/moderation/registration") { () async throws(CaseError) in
                    try await set(form["registration"], by: account)
                }
            },
            .post("/moderation/registration/invite", .owner) { request, context, _ in
                let link = HubPages(publicURL: desk.links.publicURL).signUp(try await desk.desk.accounts.invitation())
                return desk.show(word("moderation.invitation"), request) { _ in
                    """
                    \(desk.menu(context))<p>\(word("moderation.invitation.lead"))</p>
                    <p class="field"><label for="link">\(word("moderation.invitation.link"))</label>
                    <input id="link" readonly value="\(link)"></p>
                    """
                }
            },
            .get("/moderation/addresses", .moderators) { try await addresses($0, $1) },
            .post("/moderation/addresses", .moderators) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: "/moderation/addresses") { () async throws(CaseError) in
                    try await ban({ form[$0] }, by: account)
                }
            },
            .post("/moderation/addresses/free", .moderators) { request, context, form in
                let account = try context.account
                return await desk.act(request, then: "/moderation/addresses") { () async throws(CaseError) in
                    try await desk.library.free(try Self.prefix(form["prefix"]), by: account)
                }
            },
        ] + calls
    }

    /// The same for programs.
    private var calls: [WebRoute] {
        let base = "/api/hub/v1/moderation"
        return [
            .api(
                .get, "\(base)/log", .moderators, scope: "read:moderation",
                summary: "Lists what was decided, newest first; before: the id of the last one"
            ) { request, context in
                let (account, before) = (try context.account, try request.cursor("before", from: 1) ?? .end)
                let rows = try await asProblem { () async throws(CaseError) in
                    try await desk.library.log(for: account, before: before, limit: Self.perPage)
                }
                return .told { $0.array(rows) { CaseDocument.write($1, &$0) } }
            },
            .api(
                .get, "\(base)/registration", .owner, scope: "read:moderation", summary: "Reads who may sign up"
            ) { _, _ in try await answer() },
            .api(
                .put, "\(base)/registration", .owner, scope: "write:moderation", body: .upTo(1 << 10),
                summary: "Sets who may sign up: registration is closed, invite or open"
            ) { request, context in
                let (account, fields) = (try context.account, try await request.fields(upTo: 1 << 10))
                try await asProblem { () async throws(CaseError) in
                    try await set(fields["registration"] ?? "", by: account)
                }
                return try await answer()
            },
            .api(
                .post, "\(base)/invitations", .owner, scope: "write:moderation", body: .upTo(1 << 10),
                summary: "Makes a link by which somebody signs up"
            ) { _, _ in
                let link = try await desk.desk.accounts.invitation()
                return .told { json in
                    json.object { json in
                        json.field("url", HubPages(publicURL: desk.links.publicURL).signUp(link))
                        json.field("expires", link.expires)
                    }
                }
            },
            .api(
                .get, "\(base)/addresses", .moderators, scope: "read:moderation",
                summary: "Lists the blocks of addresses from which nobody signs up"
            ) { _, context in
                let account = try context.account
                let bans = try await asProblem { () async throws(CaseError) in
                    try await desk.library.addressBans(for: account)
                }
                return .told { json in
                    json.array(bans) { json, ban in
                        json.object { json in
                            json.field("prefix", ban.prefix)
                            json.field("until", ban.until)
                            json.field("why", ban.why)
                        }
                    }
                }
            },
            .api(
                .post, "\(base)/addresses", .moderators, scope: "write:moderation", body: .upTo(8 << 10),
                summary: "Lets nobody sign up from a block of addresses: prefix, days, why"
            ) { request, context in
                let (account, fields) = (try context.account, try await request.fields(upTo: 8 << 10))
                let prefix = try await asProblem { () async throws(CaseError) in
                    try await ban({ fields[$0] ?? "" }, by: account)
                }
                return .told { $0.object { $0.field("prefix", prefix.description) } }
            },
        ]
    }

    private func answer() async throws -> Response {
        let state = try await state()
        return .told { json in
            json.object { json in
                json.field("registration", state.chosen.rawValue)
                json.field("now", state.now.rawValue)
                json.field("seen", state.seen)
            }
        }
    }

    private func state() async throws(LibraryError) -> RegistrationState {
        try await desk.library.registration(configured: desk.desk.entrance.configured)
    }

    private func set(_ name: String, by account: AccountID) async throws(CaseError) {
        guard let registration = Registration(rawValue: name) else {
            throw .refused(field: "registration", .registration)
        }
        try await desk.library.setRegistration(registration, by: account)
    }

    private static func prefix(_ text: String) throws(CaseError) -> AddressBlock {
        guard let prefix = AddressBlock(PlainText(text, limit: 60).value), !prefix.isVast else {
            throw .refused(field: "prefix", .addressBlock)
        }
        return prefix
    }

    @discardableResult
    private func ban(_ field: (String) -> String, by account: AccountID) async throws(CaseError) -> AddressBlock {
        let (prefix, days, why) = (try Self.prefix(field("prefix")), field("days"), field("why"))
        let count = days.integer(in: .min ... .max)
        guard days.isEmpty || count != nil else { throw .refused(field: "days", .daysAreNoNumber) }
        try await desk.library.ban(prefix, days: count, why: why, by: account)
        return prefix
    }

    // MARK: Pages

    private func log(_ request: Request, _ context: WebContext) async throws -> Response {
        let (account, before) = (try context.account, try request.cursor("before", from: 1) ?? .end)
        do throws(CaseError) {
            let rows = try await desk.library.log(for: account, before: before, limit: Self.perPage)
            let more = desk.older("/moderation/log", before: rows.count == Self.perPage ? rows.last?.id : nil)
            return desk.show(word("moderation.log"), request) { _ in
                """
                \(desk.menu(context))
                <ul class="cases">\(HTML(joining: rows.map { CasePage.decision($0, desk) }))</ul>\(more)
                """
            }
        } catch {
            return desk.failed(error, request, back: "/")
        }
    }

    /// Every board that there is: those that are shown with how much is open there, and those that are not.
    private func listBoards(_ request: Request, _ context: WebContext) async throws -> Response {
        var items: [HTML] = []
        for name in Boards.names {
            guard let board = boards.first(where: { $0.name == name }) else {
                items.append("<li><p>\(name): \(word("moderation.boards.off"))</p></li>")
                continue
            }
            let open = try await desk.library.seen(by: .visitor).itemCounts(board: name).values.reduce(0, +)
            items.append(
                """
                <li><p><a href="\(desk.prefix)/\(name)">\(board.title())</a></p>
                <p class="byline">\(word("moderation.boards.open", count: open))</p></li>
                """)
        }
        return desk.show(word("moderation.boards"), request) { _ in
            """
            \(desk.menu(context))<p>\(word("moderation.boards.lead"))</p>
            \(ModerationDesk.list(items, empty: .nothing))
            """
        }
    }

    private func registration(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await state()
        let absent: HTML =
            state.isUnattended
            ? "<p>\(word("moderation.registration.absent"))</p>" : .nothing
        let options = Registration.allCases.map { (value: $0.rawValue, words: $0.words) }
        return desk.show(word("moderation.registration"), request) { token in
            """
            \(desk.menu(context))\(absent)
            \(desk.form("/moderation/registration", token: token, """
                \(desk.choice("registration", word("moderation.registration.who"), options, chosen: state.chosen.rawValue))
                <p><button class="main">\(word("moderation.save"))</button></p>
                """))
            \(desk.form("/moderation/registration/invite", token: token, "<p><button>\(word("moderation.invite"))</button></p>"))
            """
        }
    }

    private func addresses(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.account
        do throws(CaseError) {
            let bans = try await desk.library.addressBans(for: account)
            return desk.show(word("moderation.addresses"), request) { token in
                let items = bans.map { ban -> HTML in
                    """
                    <li><p>\(ban.prefix)\(ModerationDesk.until(ban.until))</p><p dir="auto">\(ban.why)</p>
                    \(desk.form("/moderation/addresses/free", token: token, """
                            <input type="hidden" name="prefix" value="\(ban.prefix)">\
                            <button aria-label="\(word("moderation.free-block", ["block": ban.prefix]))">\(word("moderation.free"))</button>
                            """))</li>
                    """
                }
                return """
                    \(desk.menu(context))
                    <p>\(word("moderation.addresses.lead"))</p>
                    <ul class="cases">\(HTML(joining: items))</ul>
                    \(desk.form("/moderation/addresses", token: token, """
                        <p class="field"><label for="prefix">\(word("moderation.addresses.block"))</label>
                        <input id="prefix" name="prefix" autocomplete="off" required></p>
                        <p class="field"><label for="days">\(word("moderation.addresses.days"))</label>
                        <input id="days" name="days" inputmode="numeric" autocomplete="off"></p>
                        \(desk.words("why", word("moderation.reason")))
                        <p><button class="main">\(word("moderation.ban"))</button></p>
                        """))
                    """
            }
        } catch {
            return desk.failed(error, request, back: "/")
        }
    }
}
