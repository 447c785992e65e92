package import HTTPTypes

extension HTTPField.Name {
    package static let clearSiteData = known("Clear-Site-Data")
    package static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
    /// Those behind the first: the first is the request's authority.
    static let furtherHost = known("Host")
    package static let formToken = known("X-Chirp-Form")
    package static let idempotencyKey = known("Idempotency-Key")
    package static let lastEventID = known("Last-Event-ID")
    package static let link = known("Link")
    package static let permissionsPolicy = known("Permissions-Policy")
    package static let referrerPolicy = known("Referrer-Policy")
    package static let robots = known("X-Robots-Tag")
    package static let secFetchSite = known("Sec-Fetch-Site")
    package static let xAccelBuffering = known("X-Accel-Buffering")
    package static let xForwardedFor = known("X-Forwarded-For")
    package static let xFrameOptions = known("X-Frame-Options")

    /// A name written in this file; that it is a token (RFC 9110, section 5.6.2) is the programmer's business.
    static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("'\(name)' is not a field name") }
        return name
    }
}
