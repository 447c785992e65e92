package import Hummingbird

/// Adds the headers that keep browsers from doing more than a page needs. What an answer says of them itself stays.
package struct SafeHeaders: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy(frames: "'none'")
            response.headers[.xFrameOptions] = "DENY"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // Nothing to other sites. With "no-referrer" browsers would name no origin to this one either (Fetch standard, "append a request
        // `Origin` header"), and its forms could not be told from forgeries.
        response.headers[.referrerPolicy] = "same-origin"
        response.headers[.permissionsPolicy] = "camera=(), microphone=(), geolocation=()"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        return response
    }

    /// Everything comes from the server itself; nothing is inline (CSP level 3).
    ///
    /// - Parameter frames: who may show the page in a frame, as `frame-ancestors` has it.
    static func policy(frames: String) -> String {
        """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors \(frames)
        """
    }
}

/// The exception of a group of routes whose pages may stand in frames of other sites.
package struct FramesAnywhere: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] = SafeHeaders.policy(frames: "*")
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
    }
}
