package import ChirpAccounts
internal import ChirpCommunity
package import ChirpWeb
package import Hummingbird

extension BoardDesk {
    /// A page. Who is signed in gets the token of its forms, and a page that nobody else keeps; visitors get the same page as all others.
    package func show(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok, _ page: (_ token: String?) -> HTML
    ) -> Response {
        guard context.person != nil else { return .page(page(nil), status: status) }
        return forgery.page(request) { .page(page($0), status: status).personal }
    }

    /// The same of what can only be made asynchronously: the token comes with the answer.
    package func showMade(
        _ request: Request, _ context: WebContext, status: HTTPResponse.Status = .ok,
        _ page: (_ token: String?) async throws -> HTML
    ) async throws -> Response {
        var token: String?
        var answer = show(request, context, status: status) {
            token = $0
            return .nothing
        }
        answer.body = ResponseBody(byteBuffer: ByteBuffer(string: try await page(token).text))
        return answer
    }

    /// Goes on to a page of this hub, by reading it.
    ///
    /// - Parameter path: without the prefix.
    package func goOn(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: "\(links.prefix)\(path)"]).personal
    }

    /// Takes one of what is limited.
    ///
    /// - Parameters:
    ///   - what: is counted, as ``RateLimits`` has it.
    ///   - holder: who is counted for it.
    ///   - told: what who has too many is told.
    /// - Throws: 429 as a ``Problem``.
    package func consume(
        _ what: StaticString, _ rule: RateRule, by holder: LimitHolder, told: String
    ) async throws {
        do throws(AccountError) { try await limits.consume(what, rule, by: holder) } catch {
            guard case .tooOften(let seconds) = error else { throw error }
            throw Problem(.tooManyRequests, "too-often", told, retryAfter: seconds)
        }
    }
}
