internal import ChirpCore
package import Hummingbird
internal import HTTPTypes

/// Tells forms that this server's pages sent from those that another site's page made a visitor's browser send.
///
/// Three things are asked. `Sec-Fetch-Site`, where the browser sends it, says that the page is this server's. `Origin`, where it is
/// sent, is this server's. And each form carries a token that only this server makes, for a cookie that only this browser has
/// (the signed double submit of the OWASP sheet on cross-site request forgery). Browsers send no `Sec-Fetch-Site` over plain
/// http, so its absence alone refuses nothing.
package struct ForgeryCheck: Sendable {
    private let signer: Signer
    private let cookie: HostCookie
    private let origin: String

    /// - Parameter origin: of the server, as in `https://hub.example`.
    package init(signer: Signer, origin: String, isSecure: Bool) {
        self.signer = signer
        self.origin = origin.lowercased()
        cookie = HostCookie("visit", isSecure: isSecure)
    }

    /// The token for a page's forms, and the answer to put the page in.
    ///
    /// - Parameter page: makes the answer, given the token.
    package func page(_ request: Request, _ page: (_ token: String) -> Response) -> Response {
        if let visit = cookie.value(in: request), Signer.isName(visit) { return page(token(for: visit)) }
        let visit = Signer.newName()
        return page(token(for: visit)).setting(cookie, to: visit, seconds: nil)
    }

    /// The form of a request that is no forgery.
    ///
    /// - Throws: ``HTTPError`` with 403 for a forgery, 413 and 415 for what is no form.
    func checked(_ request: Request, _ context: WebContext) async throws -> Form {
        guard isFromHere(request) else { throw HTTPError(.forbidden) }
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type.split(separator: ";").first == "application/x-www-form-urlencoded" else {
            throw HTTPError(.unsupportedMediaType)
        }
        let body = try await request.body.collect(upTo: Form.mostBytes).readableBytesView
        let form: Form
        do throws(TooManyFields) { form = try Form(body) } catch { throw Problem(error) }
        guard isRight(form["token"], request) else { throw HTTPError(.forbidden) }
        return form
    }

    /// The same for a form with files, which go to the disk as they come; nothing behind the token is read before the token is right.
    ///
    /// - Throws: ``HTTPError`` with 403 for a forgery, 413 for too much, 415 for what is no such form, 422 for too many files; ``Problem``
    ///   with 429 and 503 when too much is on its way.
    func checkedFiles(
        _ request: Request, _ context: WebContext, _ files: [FileForm.Files], into store: BodyStore
    ) async throws -> FileForm {
        guard isFromHere(request) else { throw HTTPError(.forbidden) }
        do {
            return try await FileForm.read(request, files: files, into: store, for: context) { isRight($0, request) }
        } catch let refusal as FileForm.Refusal {
            switch refusal {
            case .malformed: throw HTTPError(.unsupportedMediaType)
            case .tooLarge: throw HTTPError(.contentTooLarge)
            case .tooMany: throw HTTPError(.unprocessableContent)
            }
        }
    }

    /// Whether a script of this server's pages has sent a request: it has a form's token in the header `X-Chirp-Form`.
    package func hasProof(_ request: Request) -> Bool {
        isFromHere(request) && isRight(request.headers[.formToken] ?? "", request)
    }

    private func isRight(_ token: String, _ request: Request) -> Bool {
        guard let visit = cookie.value(in: request), Signer.isName(visit) else { return false }
        return signer.isRight(token, of: visit, for: "form")
    }

    /// Nothing that the browser says of where a request comes from speaks against this server's own pages.
    private func isFromHere(_ request: Request) -> Bool {
        let site = request.headers[.secFetchSite]
        guard site == nil || site == "same-origin" || site == "none" else { return false }
        return request.headers[.origin].map { isOwn($0.lowercased(), request) } ?? true
    }

    /// Whether an origin is this server's: as links have it, or as the browser has it in its address line, which ``KnownHosts`` has let
    /// pass. A page under another name has the cookies of that name, and none of ours.
    private func isOwn(_ from: String, _ request: Request) -> Bool {
        guard from != origin else { return true }
        guard let host = request.head.authority?.lowercased() else { return false }
        return from == "http://\(host)" || from == "https://\(host)"
    }

    private func token(for visit: String) -> String { signer.signature(of: visit, for: "form") }
}
