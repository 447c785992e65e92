internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpWeb
internal import Hummingbird

/// The page by which somebody at another server is found, whose own page then has "Follow".
struct ElsewhereRoutes {
    let desk: PageDesk
    /// Nil where the hub speaks with no other servers.
    let elsewhere: ElsewhereDesk?

    var routes: [WebRoute] {
        [
            .get("/follow", .signedIn) { request, context in
                let name = PercentEncoding.decode(request.uri.queryParameters["name"] ?? "", plusIsSpace: true)
                return try await page(name, request, context)
            },
            .post("/follow/elsewhere", .active) { request, context, form in
                guard let elsewhere else { throw HTTPError(.notFound) }
                let account = try context.account
                let refusal: ElsewhereRefusal
                do throws(ElsewhereRefusal) {
                    let found = try await elsewhere.find(form["name"], for: account)
                    return desk.goOn(to: "/@\(found.handle)")
                } catch { refusal = error }
                return try await page(form["name"], request, context, problem: refusal.sentence)
            },
        ]
    }

    private func page(
        _ name: String, _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        guard let elsewhere else { throw HTTPError(.notFound) }
        let isOn = try await elsewhere.fediverse.library.mayFollowElsewhere(context.account) != .notOn
        var form = FormPage(
            title: word("elsewhere.title"), action: "/follow/elsewhere",
            fields: [
                FormPage.Field(
                    name: "name", label: word("elsewhere.name"), autocomplete: "off",
                    value: PlainText(name, limit: 300).value, hint: word("elsewhere.name-hint"))
            ], button: word("elsewhere.find"), lead: "<p>\(word("elsewhere.lead"))</p>")
        if !isOn {
            form.below = """
                <p><a href="\(desk.links.prefix)/settings/privacy">\(word("elsewhere.switch-on"))</a></p>
                """
        }
        form.problem = problem.map { ("name", $0) }
        let shown = form
        return desk.forgery.page(request) { token in
            .page(
                shown.html(token: token, prefix: desk.links.prefix),
                status: problem == nil ? .ok : .unprocessableContent
            ).uncached
        }
    }
}
