internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The addresses of problems' types (RFC 9457, section 3.1.1), for whoever follows one.
struct ProblemRoutes {
    let links: HubLinks

    var routes: [WebRoute] {
        [
            .api(.get, "/api/hub/v1/problems/:kind", .everybody, scope: .open, summary: "What a type of problem means")
            {
                request, context in
                let isPage = request.headers[.accept]?.contains("text/html") == true
                // Programs are answered in English, whatever they accept.
                let language = isPage ? Language.current : .english
                guard let kind = context.parameters.get("kind"),
                    let text = Language.$current.withValue(language, operation: { ProblemKind.explanation(kind) })
                else { throw Problem.recordNotFound }
                guard isPage else {
                    return try .json(
                        Document(type: "\(links.publicURL)/api/hub/v1/problems/\(kind)", explanation: text))
                }
                let page = NoticePage(title: word("problem.title", ["kind": kind]), text: "<p>\(text)</p>")
                return .page(page.html(prefix: links.prefix))
            }
        ]
    }

    private struct Document: Encodable {
        let type: String
        let explanation: String
    }
}
