/// Scheme, host and port of an address (RFC 6454): what a place on the web is trusted by. A port that is not written is the
/// scheme's own, so `https://hub.example` and `https://hub.example:443` are one origin.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    /// Lower case; `hub.example` and `hub.example.` are two hosts.
    public let host: String
    public let port: Int

    public init(_ address: WebAddress) {
        isSecure = address.isSecure
        host = address.host
        port = address.port ?? (address.isSecure ? 443 : 80)
    }

    public var description: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(shown):\(port)"
    }
}
