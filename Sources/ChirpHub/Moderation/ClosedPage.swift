internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What somebody is shown whose account is closed, once the password was right: why, and a form for the appeal. There is no session;
/// a link that lasts 30 minutes stands for the person.
struct ClosedPage {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        [
            .post("/signin/appeal", .everybody) { request, _, form in try await appeal(request, form) }
        ]
    }

    /// The page.
    ///
    /// - Parameters:
    ///   - link: what the form carries.
    ///   - typed: an appeal that was not taken.
    func show(
        _ account: AccountID, link: OpaqueToken, _ request: Request, typed: String = "", problem: CaseError? = nil
    ) async -> Response {
        let cases: [ModerationCase]
        do throws(CaseError) { cases = try await desk.library.standing(of: account) } catch {
            return desk.failed(error, request, back: "/signin")
        }
        let closing = cases.filter {
            $0.account.id == account && $0.decisions.contains { Self.steps.contains($0.what) }
        }
        var response = desk.show(word("closed.title"), request, problem: problem) { token in
            let items = closing.map { found -> HTML in
                let decisions = found.decisions.map { CasePage.decision($0, desk, by: false) }
                return """
                    <li><p class="byline">\(CasePage.state(found))</p><ul>\(HTML(joining: decisions))</ul>
                    \(CasePage.said(word("closed.yours"), found.appeal))</li>
                    """
            }
            // Of several decisions the newest is appealed first.
            let open = closing.first { $0.canBeAppealed }
            let form: HTML = open.map { self.form($0, link, token, typed) } ?? .nothing
            return "<ul class=\"cases\">\(HTML(joining: items))</ul>\(form)"
        }
        if problem == nil { response.status = .forbidden }
        return response
    }

    private static let steps: Set<String> = [Verdict.Step.closing.rawValue, Verdict.Step.ban.rawValue]

    private func form(_ found: ModerationCase, _ link: OpaqueToken, _ token: String, _ typed: String) -> HTML {
        desk.form(
            "/signin/appeal", token: token,
            """
            <input type="hidden" name="link" value="\(link.secret.reveal())"><input type="hidden" name="case" value="\(found.id)">
            \(desk.words("text", word("closed.why"), typed))<p>\(word("closed.once"))</p>
            <p><button class="main">\(word("closed.appeal"))</button></p>
            """)
    }

    private func appeal(_ request: Request, _ form: Form) async throws -> Response {
        guard let link = OpaqueToken(shown: form["link"]),
            let account = try await desk.desk.accounts.account(of: link, as: .appeal)
        else { return desk.desk.goOn(to: "/signin") }
        do throws(CaseError) {
            try await desk.library.appeal(form["case"], by: account, text: form["text"])
        } catch {
            let typed = PlainText(form["text"], limit: Verdict.longestText).value
            return await show(account, link: link, request, typed: typed, problem: error)
        }
        return desk.desk.say(
            word("closed.done"), "<p>\(word("closed.done-text"))</p>")
    }
}
