internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

extension ListingDesk {
    /// Answers, and tells what went wrong: people by a page, programs by a problem in English.
    func answering(
        _ request: Request, _ context: WebContext, _ answer: () async throws -> Response
    ) async throws -> Response {
        guard request.isForProgram else { return try await answeringPeople(answer) }
        return try await Language.$current.withValue(.english) {
            do { return try await answer() } catch let gone as ListingGone {
                throw gone.problem
            } catch let refusal as ListingRefusal {
                throw refusal.problem
            } catch let refusal as ItemRefusal {
                throw ListingRefusal.item(refusal).problem
            }
        }
    }

    private func answeringPeople(_ answer: () async throws -> Response) async throws -> Response {
        do { return try await answer() } catch let gone as ListingGone {
            return told(word("listing.gone.title"), "<p>\(gone.sentence)</p>", status: .gone)
        } catch let refusal as ListingRefusal {
            return try refused(refusal)
        } catch let refusal as ItemRefusal {
            return try refused(.item(refusal))
        } catch let problem as Problem {
            if problem.status == .notFound { throw HTTPError(.notFound) }
            let text = problem.detail ?? problem.title
            var page = told(word("listing.refused.title"), "<p>\(text).</p>", status: problem.status)
            if let seconds = problem.retryAfter { page.headers[.retryAfter] = "\(seconds)" }
            return page
        }
    }

    private func refused(_ refusal: ListingRefusal) throws -> Response {
        if refusal.status == .notFound { throw HTTPError(.notFound) }
        if refusal.status.kind == .serverError { throw HTTPError(refusal.status) }
        var page = told(word("listing.refused.title"), "<p>\(refusal.sentence).</p>", status: refusal.status)
        if let seconds = refusal.wait { page.headers[.retryAfter] = "\(seconds)" }
        return page
    }

    /// A page that says one thing.
    func told(_ title: String, _ text: HTML, status: HTTPResponse.Status = .ok) -> Response {
        let body: HTML = """
            <div class="failure"><h1>\(title)</h1>
            \(text)
            <p class="actions"><a class="main" href="\(prefix)\(Self.path)">\(word("listing.toboard"))</a></p></div>
            """
        return .page(
            ListingLayout(links: links).page(
                title: title, head: "<meta name=\"robots\" content=\"noindex\">", body: body), status: status
        ).personal
    }
}
