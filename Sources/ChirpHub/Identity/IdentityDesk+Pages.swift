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
        let html = Layout(prefix: desk.prefix).form(
            title: word("identity.sign-in"),
            head: """
                <meta http-equiv="refresh" content="0; url=\(page.text)">
                """,
            body: """
                <p><a class="main" href="\(page.text)" rel="nofollow">\(word("identity.go-on", ["host": page.host]))</a></p>
                """)
        return Response.page(html).uncached.setting(desk.doors.cookie, to: browser, seconds: 3600)
    }

    /// Says why nobody was signed in.
    func failed(_ failure: Failure) -> Response {
        let html = Layout(prefix: desk.prefix).form(
            title: word("identity.not-signed-in"), problem: failure.words,
            body: "<p><a href=\"\(desk.prefix)/signin\">\(word("identity.sign-in"))</a></p>")
        var response = Response.page(html, status: failure.status).uncached
        if case .account(.tooOften(let seconds)) = failure { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }
}
