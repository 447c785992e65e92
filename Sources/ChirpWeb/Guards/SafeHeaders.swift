package import Hummingbird

/// Adds the headers that keep browsers from doing more than a page needs. What an answer says of them itself stays.
package struct SafeHeaders: RouterMiddleware {
    private let images: String
    private let isSecure: Bool

    /// How long browsers ask over https alone, in seconds: two years.
    private static let secureSeconds = 2 * 365 * 24 * 3600

    /// - Parameters:
    ///   - images: another server whose pictures pages show, as `img-src` has it; empty for none.
    ///   - isSecure: the server's public address is https. Browsers that were there once ask it no other way from then on (RFC 6797). Nothing
    ///     is said of hosts below its own, which may be somebody else's. Browsers do not look at the field in answers over http (section 8.1).
    package init(images: String = "", isSecure: Bool = false) {
        self.images = images.isEmpty ? "" : " \(images)"
        self.isSecure = isSecure
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy(frames: "'none'", images: images)
            response.headers[.xFrameOptions] = "DENY"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=\(Self.secureSeconds)" }
        // Nothing to other sites. With "no-referrer" browsers would name no origin to this one either (Fetch standard, "append a request
        // `Origin` header"), and its forms could not be told from forgeries.
        response.headers[.referrerPolicy] = "same-origin"
        if response.headers[.permissionsPolicy] == nil {
            response.headers[.permissionsPolicy] = "camera=(self), microphone=(self), geolocation=()"
        }
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        return response
    }

    /// Everything comes from the server itself; nothing is inline (CSP level 3).
    ///
    /// - Parameters:
    ///   - frames: who may show the page in a frame, as `frame-ancestors` has it.
    ///   - forms: where forms may lead beside this server; empty or beginning with a space.
    ///   - images: where pictures may come from beside it; the same.
    static func policy(frames: String, forms: String = "", images: String = "") -> String {
        """
        default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; manifest-src 'self'; \
        img-src 'self' blob:\(images); media-src 'self' blob:; connect-src 'self'; \
        base-uri 'none'; form-action 'self'\(forms); frame-ancestors \(frames)
        """
    }
}

extension Response {
    /// The exception of a page whose form leads to another site in the end: browsers follow no redirect there that the page has not named.
    ///
    /// - Parameter origin: as `form-action` has it; empty for no other site.
    package func withForms(leadingTo origin: String) -> Response {
        var response = self
        let forms = origin.isEmpty ? "" : " \(origin)"
        response.headers[.contentSecurityPolicy] = SafeHeaders.policy(frames: "'none'", forms: forms)
        response.headers[.xFrameOptions] = "DENY"
        return response
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
