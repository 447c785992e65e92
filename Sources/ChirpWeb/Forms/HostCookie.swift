internal import HTTPTypes
package import Hummingbird

/// A cookie of this server (RFC 6265bis): for this host alone, not for scripts, not with requests from other sites' pages.
package struct HostCookie: Hashable, Sendable {
    package let name: String

    /// - Parameters:
    ///   - name: without a prefix.
    ///   - isSecure: the server is reached over https; then the name begins with `__Host-`, which browsers let nobody else set.
    package init(_ name: String, isSecure: Bool) {
        self.name = isSecure ? "__Host-\(name)" : name
        self.isSecure = isSecure
    }

    private let isSecure: Bool

    /// What the browser sent; nil when there is none. Of several the first counts.
    package func value(in request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].trimmingSpaces == name[...] else { continue }
                return String(parts[1].trimmingSpaces)
            }
        }
        return nil
    }

    /// The header field that sets it.
    ///
    /// - Parameters:
    ///   - value: letters, digits, `-` and `_`.
    ///   - seconds: how long the browser keeps it; 0 takes it away, nil keeps it until the browser ends.
    package func setting(_ value: String, seconds: Int?) -> String {
        var text = "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax"
        if let seconds { text += "; Max-Age=\(seconds)" }
        if isSecure { text += "; Secure" }
        return text
    }
}

extension Response {
    /// The same, and sets a cookie.
    package func setting(_ cookie: HostCookie, to value: String, seconds: Int?) -> Response {
        var response = self
        response.headers.append(HTTPField(name: .setCookie, value: cookie.setting(value, seconds: seconds)))
        return response
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
