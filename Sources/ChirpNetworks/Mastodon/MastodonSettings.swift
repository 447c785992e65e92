public import ChirpHTTP

/// How posts on Mastodon are to be.
public struct MastodonSettings: Hashable, Sendable {
    public enum Visibility: String, Sendable, CaseIterable {
        case `public`
        case unlisted
        case `private`
        case direct
    }

    /// What becomes of a post whose clip has expired.
    public enum Ending: String, Sendable, CaseIterable {
        case delete
        /// The text is replaced by a sentence; replies keep their place.
        case edit
    }

    /// Nil leaves it to the account's own default. Only public posts reach the timelines of a tag.
    public var visibility: Visibility?
    /// ISO 639-1; nil leaves it to the account's own default.
    public var language: String?
    /// Shown instead of the text until somebody wants to see it; nil for none.
    public var contentWarning: String?
    /// Whether the clip goes along as media, besides the link to the store, whose file stays the master.
    public var attachesClip: Bool
    public var onExpiry: Ending

    public init(
        visibility: Visibility? = nil, language: String? = nil, contentWarning: String? = nil,
        attachesClip: Bool = false, onExpiry: Ending = .delete
    ) {
        self.visibility = visibility
        self.language = language
        self.contentWarning = contentWarning
        self.attachesClip = attachesClip
        self.onExpiry = onExpiry
    }
}

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
