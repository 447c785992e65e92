internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What the pages about reports and decisions share: the library, and how an answer is made.
struct ModerationDesk: Sendable {
    let library: HubLibrary
    let desk: AccountDesk
    let links: HubLinks
    /// Takes a picture in as somebody's; nil: this hub takes none.
    var takePicture: (@Sendable (_ file: SentFile, _ owner: AccountID) async throws -> HubID)?

    var prefix: String { links.prefix }

    /// A page with forms in it.
    ///
    /// - Parameters:
    ///   - problem: what was wrong with what was sent.
    ///   - body: given the token that each form carries.
    func show(
        _ title: String, _ request: Request, problem: CaseError? = nil, body: (_ token: String) -> HTML
    ) -> Response {
        var response = desk.forgery.page(request) { token in
            .page(
                Layout(prefix: prefix).form(title: title, problem: problem?.words, body: body(token)),
                status: problem?.status ?? .ok
            ).uncached
        }
        if let seconds = problem?.wait { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    /// Does something and goes on to another page, or says why not.
    func act(
        _ request: Request, then path: String, _ act: () async throws(CaseError) -> Void
    ) async -> Response {
        do throws(CaseError) {
            try await act()
            return desk.goOn(to: path)
        } catch {
            return failed(error, request, back: path)
        }
    }

    /// Says why something was not done, with the way back.
    func failed(_ error: CaseError, _ request: Request, back path: String) -> Response {
        show(word("moderation.not-done"), request, problem: error) { _ in
            "<p><a href=\"\(prefix)\(path)\">\(word("moderation.back"))</a></p>"
        }
    }

    /// A form that is sent to a path.
    func form(_ path: String, token: String, _ content: HTML) -> HTML {
        """
        <form method="post" action="\(prefix)\(path)"><input type="hidden" name="token" value="\(token)">
        \(content)</form>
        """
    }

    /// A field for words.
    func words(
        _ name: String, _ label: String, _ value: String = "", rows: Int = 4, isRequired: Bool = true
    ) -> HTML {
        let required: HTML = isRequired ? " required" : .nothing
        return """
            <p class="field"><label for="\(name)">\(label)</label>
            <textarea id="\(name)" name="\(name)" rows="\(rows)" maxlength="\(Verdict.longestText)" \
            dir="auto"\(required)>\(value)</textarea></p>
            """
    }

    /// A choice of some.
    func choice(_ name: String, _ label: String, _ options: [(value: String, words: String)], chosen: String) -> HTML {
        let items = options.map { option -> HTML in
            let selected: HTML = option.value == chosen ? " selected" : .nothing
            return "<option value=\"\(option.value)\"\(selected)>\(option.words)</option>"
        }
        return """
            <p class="field"><label for="\(name)">\(label)</label>
            <select id="\(name)" name="\(name)">\(HTML(joining: items))</select></p>
            """
    }

    /// The way to the other pages for moderators.
    func menu(_ context: WebContext) -> HTML {
        var pages = [
            ("reports", word("moderation.reports")), ("queue", word("moderation.queue")),
            ("cases", word("moderation.cases")), ("people", word("moderation.people")),
            ("domains", word("moderation.domains")), ("addresses", word("moderation.addresses")),
            ("log", word("moderation.log")),
        ]
        if context.person?.role == .owner {
            pages += [("registration", word("moderation.registration")), ("boards", word("moderation.boards"))]
        }
        let items = pages.map { "<a href=\"\(prefix)/moderation/\($0.0)\">\($0.1)</a>" as HTML }
        return "<nav aria-label=\"\(word("moderation.menu"))\"><p>\(HTML(joining: items, separator: " · "))</p></nav>"
    }

    /// A list, or what to say when there is nothing in it.
    static func list(_ items: [HTML], empty: HTML) -> HTML {
        items.isEmpty ? empty : "<ul class=\"cases\">\(HTML(joining: items))</ul>"
    }

    /// The way to what came before the last one of a full page.
    func older(_ path: String, before id: Int64?) -> HTML {
        guard let id else { return .nothing }
        return "<p><a rel=\"next\" href=\"\(prefix)\(path)?before=\("\(id)")\">\(word("moderation.older"))</a></p>"
    }

    /// Until when something holds, behind what it is; nothing for what holds for good.
    static func until(_ date: Date?) -> HTML {
        date.map { " \(HTML.word("moderation.until", ["when": Wording.time($0)]))" } ?? .nothing
    }

    /// Somebody's name for moderators, with the way to what they may do there: whoever is closed, or has blocked the moderator, has no
    /// page for her.
    func moderated(_ person: PostAuthor?) -> HTML {
        guard let person, !person.handle.isEmpty else { return "\(word("moderation.gone"))" }
        let query = PercentEncoding.form([("q", person.handle)])
        return "<a href=\"\(prefix)/moderation/people?\(query)\"><bdi>@\(person.handle)</bdi></a>"
    }

    /// Somebody's name with the way to the page.
    func name(_ person: PostAuthor?) -> HTML {
        guard let person, !person.handle.isEmpty else { return "\(word("moderation.gone"))" }
        return "<a href=\"\(prefix)/@\(person.handle)\"><bdi>@\(person.handle)</bdi></a>"
    }
}

/// Calls that answer programs: what a rule refuses is told as a problem.
func asProblem<T>(_ body: () async throws(CaseError) -> T) async throws(Problem) -> T {
    do throws(CaseError) { return try await body() } catch { throw error.problem }
}

extension Response {
    /// A document for programs, written by a closure.
    static func told(_ write: (inout JSONText) -> Void) -> Response {
        var text = JSONText()
        write(&text)
        return .json(text)
    }
}
