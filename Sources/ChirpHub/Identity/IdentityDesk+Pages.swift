internal import ChirpAccounts
internal import ChirpHTTP
internal import ChirpWeb
internal import Hummingbird

extension IdentityDesk {
    /// The page that leads to the service.
    ///
    /// It is no redirect: browsers follow none from a form to a site that the form's page has not named (CSP level 3, `form-action`),
    /// and services hand people on to sites that nobody here knows.
    func leading(to page: WebAddress, browser: String) -> Response {
        let html = Layout(prefix: desk.prefix).page(
            title: "Sign in – Chirp",
            head: """
                <meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=\(page.text)">
                """,
            body: """
                <div class="form"><h1>Sign in</h1>
                <p role="status"></p><p role="alert"></p>
                <p><a class="main" href="\(page.text)" rel="nofollow">Go on to \(page.host)</a></p></div>
                """)
        return Response.page(html).uncached.setting(desk.doors.cookie, to: browser, seconds: 3600)
    }

    /// Says why nobody was signed in.
    func failed(_ failure: Failure) -> Response {
        let html = Layout(prefix: desk.prefix).page(
            title: "Not signed in – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>Not signed in</h1>
                <p role="status"></p><div role="alert" class="problem"><p>\(failure.sentence).</p></div>
                <p><a href="\(desk.prefix)/signin">Sign in</a></p></div>
                """)
        var response = Response.page(html, status: failure.status).uncached
        if case .account(.tooOften(let seconds)) = failure { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }
}
