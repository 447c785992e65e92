/// What a token allows, as Mastodon names it (`read`, `write:media`).
package struct Scopes: Hashable, Sendable {
    package let names: Set<String>

    /// - Parameter text: names with spaces between them.
    package init(_ text: String) {
        names = Set(text.split(whereSeparator: { $0 == " " || $0 == "+" }).map(String.init))
    }

    /// Whether a part is allowed, by its own name or by that of the whole.
    package func allow(_ scope: String) -> Bool {
        if names.contains(scope) || names.contains(String(scope.prefix { $0 != ":" })) { return true }
        // The old name for what concerns following, blocking and muting.
        return names.contains("follow")
            && ["read:follows", "write:follows", "read:blocks", "write:blocks"].contains(scope)
    }

    /// Whether all of them are allowed by others.
    package func areWithin(_ others: Scopes) -> Bool { names.allSatisfy(others.allow) }

    /// Whether all of them are some that exist.
    package var areKnown: Bool { names.allSatisfy(Self.known.contains) }

    /// Every name: the wholes, and the parts as Mastodon has them (docs.joinmastodon.org/api/oauth-scopes).
    package static let known: Set<String> = {
        let parts = [
            "accounts", "blocks", "bookmarks", "favourites", "filters", "follows", "lists", "mutes", "notifications",
            "statuses",
        ]
        // Reading media and moderating are this hub's own.
        let reading = parts + ["media", "moderation", "search"]
        let writing = parts + ["conversations", "media", "moderation", "reports"]
        return Set(
            ["read", "write", "follow", "push", "profile"] + reading.map { "read:\($0)" }
                + writing.map { "write:\($0)" })
    }()

    /// As they are written, in order.
    package var text: String { names.sorted().joined(separator: " ") }
}
