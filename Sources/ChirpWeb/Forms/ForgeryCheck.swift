internal import Crypto
internal import FoundationEssentials
package import Hummingbird
internal import HTTPTypes

/// Tells forms that this server's pages sent from those that another site's page made a visitor's browser send.
///
/// Three things are asked. `Sec-Fetch-Site`, where the browser sends it, says that the page is this server's. `Origin`, where it is
/// sent, is this server's. And each form carries a token that only this server makes, for a cookie that only this browser has
/// (the signed double submit of the OWASP sheet on cross-site request forgery). Browsers send no `Sec-Fetch-Site` over plain
/// http, so its absence alone refuses nothing.
package struct ForgeryCheck: Sendable {
    private let key: SymmetricKey
    private let cookie: HostCookie
    private let origin: String

    /// - Parameters:
    ///   - key: at least 32 secret bytes, the same after a restart, so that open forms stay good.
    ///   - origin: of the server, as in `https://hub.example`.
    package init(key: [UInt8], origin: String, isSecure: Bool) {
        precondition(key.count >= 32)
        self.key = SymmetricKey(data: Data(key))
        self.origin = origin.lowercased()
        cookie = HostCookie("visit", isSecure: isSecure)
    }

    /// The token for a page's forms, and the answer to put the page in.
    ///
    /// - Parameter page: makes the answer, given the token.
    package func page(_ request: Request, _ page: (_ token: String) -> Response) -> Response {
        if let visit = cookie.value(in: request), Self.isVisit(visit) { return page(token(for: visit)) }
        var generator = SystemRandomNumberGenerator()
        let visit = Self.text((0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        return page(token(for: visit)).setting(cookie, to: visit, seconds: nil)
    }

    /// The form of a request that is no forgery.
    ///
    /// - Throws: ``HTTPError`` with 403 for a forgery, 413 and 415 for what is no form.
    func checked(_ request: Request, _ context: WebContext) async throws -> Form {
        let site = request.headers[.secFetchSite]
        guard site == nil || site == "same-origin" || site == "none" else { throw HTTPError(.forbidden) }
        if let from = request.headers[.origin], from.lowercased() != origin { throw HTTPError(.forbidden) }
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type.split(separator: ";").first == "application/x-www-form-urlencoded" else {
            throw HTTPError(.unsupportedMediaType)
        }
        let form = Form(try await request.body.collect(upTo: Form.mostBytes).readableBytesView)
        guard let visit = cookie.value(in: request), Self.isVisit(visit), isToken(form["token"], for: visit) else {
            throw HTTPError(.forbidden)
        }
        return form
    }

    private func token(for visit: String) -> String {
        Self.text(HMAC<SHA256>.authenticationCode(for: Data(visit.utf8), using: key))
    }

    private func isToken(_ token: String, for visit: String) -> Bool {
        let expected = Array(self.token(for: visit).utf8)
        let given = Array(token.utf8)
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func isVisit(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
