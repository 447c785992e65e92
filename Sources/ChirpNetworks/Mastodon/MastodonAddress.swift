public import ChirpHTTP

/// The root of an instance, from what people type: `mastodon.social`, an address, or a handle such as `@ada@mastodon.social`.
public enum MastodonAddress {
    /// Nil when it names no instance. Plain http is for this machine only.
    public static func parse(_ text: String) -> WebAddress? {
        let lower = text.lowercased()
        let hasScheme = lower.hasPrefix("https://") || lower.hasPrefix("http://")
        let host = hasScheme ? text : "https://" + (text.split(separator: "@").last.map(String.init) ?? "")
        guard let address = WebAddress(host), address.isSecure || address.isLoopback,
            address.isLoopback || address.host.contains(".")
        else { return nil }
        return address.replacing(path: "/")
    }
}
