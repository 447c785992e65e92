internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The accounts of the hub for moderators, and who moderates.
struct ModeratedPeopleRoutes {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        let base = "/api/hub/v1/moderation"
        return [
            .get("/moderation/people", .moderators) { try await list($0, $1) },
            .post("/moderation/people/:id/case", .moderators) { request, context, form in
                let (person, account) = (try person(context), try context.account)
                do throws(CaseError) {
                    let id = try await desk.library.openCase(about: .account(person), by: account)
                    return desk.desk.goOn(to: "/moderation/cases/\(id)")
                } catch {
                    return desk.failed(error, request, back: "/moderation/people")
                }
            },
            .post("/moderation/people/:id/role", .owner) { request, context, form in
                let (person, account) = (try person(context), try context.account)
                return await desk.act(request, then: "/moderation/people") { () async throws(CaseError) in
                    try await desk.library.setRole(of: person, to: try Self.role(form["role"]), by: account)
                }
            },
            .api(
                .get, "\(base)/people", .moderators, scope: "read:moderation",
                summary: "Lists accounts, with q those whose handle or name has a text in it"
            ) { request, context in
                let (account, text) = (try context.account, PlainText(request.query("q"), limit: 100).value)
                let people = try await asProblem { () async throws(CaseError) in
                    try await desk.library.people(matching: text, for: account)
                }
                return .told { json in
                    json.array(people) { json, person in
                        json.object { json in
                            json.field("account") { CaseDocument.write(person.author, &$0) }
                            json.field("role", person.role.rawValue)
                            json.field("state", person.state)
                            json.field("until", person.until)
                            json.field("created", person.created)
                        }
                    }
                }
            },
            .api(
                .post, "\(base)/people/:id/case", .moderators, scope: "write:moderation", body: .upTo(1 << 10),
                summary: "Opens a case about an account, or gives the one that waits"
            ) { _, context in
                let (person, account) = (try person(context), try context.account)
                let id = try await asProblem { () async throws(CaseError) in
                    try await desk.library.openCase(about: .account(person), by: account)
                }
                return .told { $0.object { $0.field("id", id) } }
            },
            .api(
                .put, "\(base)/people/:id/role", .owner, scope: "write:moderation", body: .upTo(1 << 10),
                summary: "Makes an account a moderator or a member: role"
            ) { request, context in
                let (person, account) = (try person(context), try context.account)
                let role = try await request.fields(upTo: 1 << 10)["role"] ?? ""
                try await asProblem { () async throws(CaseError) in
                    try await desk.library.setRole(of: person, to: try Self.role(role), by: account)
                }
                return .told { json in
                    json.object { json in
                        json.field("id", person.rawValue)
                        json.field("role", role)
                    }
                }
            },
        ]
    }

    private func person(_ context: WebContext) throws -> AccountID {
        guard let id = context.parameters.get("id"), id.utf8.count <= 100 else { throw HTTPError(.notFound) }
        return AccountID(rawValue: id)
    }

    private static func role(_ name: String) throws(CaseError) -> HubAccount.Role {
        guard let role = HubAccount.Role(rawValue: name), role != .owner else {
            throw .refused(field: "role", .role)
        }
        return role
    }

    private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let (account, text) = (try context.account, PlainText(request.query("q"), limit: 100).value)
        let isOwner = context.person?.role == .owner
        do throws(CaseError) {
            let people = try await desk.library.people(matching: text, for: account)
            return desk.show(word("moderation.people"), request) { token in
                """
                \(desk.menu(context))
                <form method="get" action="\(desk.prefix)/moderation/people" role="search">
                <p class="field"><label for="q">\(word("moderation.people.name"))</label>
                <input id="q" name="q" type="search" autocomplete="off" value="\(text)"></p>
                <p><button>\(word("moderation.people.search"))</button></p></form>
                <ul class="cases">\(HTML(joining: people.map { item($0, token, isOwner, account) }))</ul>
                """
            }
        } catch {
            return desk.failed(error, request, back: "/")
        }
    }

    private func item(_ person: ModeratedPerson, _ token: String, _ isOwner: Bool, _ own: AccountID) -> HTML {
        let (id, handle) = (person.author.id.rawValue, person.author.handle)
        var forms: [HTML] = []
        if person.author.id != own, ["active", "suspended"].contains(person.state) {
            forms.append(
                desk.form(
                    "/moderation/people/\(id)/case", token: token,
                    """
                    <button aria-label="\(word("moderation.people.case-about", ["who": handle]))">\
                    \(word("moderation.people.case"))</button>
                    """))
        }
        if isOwner, person.role != .owner, person.state == "active" {
            let isMember = person.role == .member
            let words = isMember ? word("moderation.people.moderator") : word("moderation.people.member")
            forms.append(
                desk.form(
                    "/moderation/people/\(id)/role", token: token,
                    """
                    <input type="hidden" name="role" value="\(isMember ? "moderator" : "member")">\
                    <button aria-label="\(words): \(handle)">\(words)</button>
                    """))
        }
        let name: HTML = person.hasPage ? desk.name(person.author) : "<bdi>@\(handle)</bdi>"
        return """
            <li><p>\(name) <bdi>\(person.author.name)</bdi></p>
            <p class="byline">\(person.role.words), \(person.stateWords)\(ModerationDesk.until(person.until)), \
            \(HTML.word("moderation.since", ["when": Wording.time(person.created)]))</p>
            \(HTML(joining: forms))</li>
            """
    }
}
