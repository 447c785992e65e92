/// The scopes of a token, by Mastodon's names (`read`, `write:media`) and those of what only this hub has.
package struct Scopes: Hashable, Sendable {
    package let names: Set<String>

    /// - Parameter text: names with spaces between them.
    package init(_ text: String) {
        names = Set(text.split(whereSeparator: { $0 == " " || $0 == "+" }).map(String.init))
    }

    /// Whether a part is allowed, by its own name or by that of the whole.
    package func allow(_ scope: String) -> Bool {
        if names.contains(scope) || names.contains(String(scope.prefix { $0 != ":" })) { return true }
        // `profile` is the smallest part of `read:accounts`.
        if scope == "profile" { return allow("read:accounts") }
        // The old name for what concerns following, blocking and muting.
        return names.contains("follow")
            && ["read:follows", "write:follows", "read:blocks", "write:blocks"].contains(scope)
    }

    /// Whether all of them are allowed by others.
    package func areWithin(_ others: Scopes) -> Bool { names.allSatisfy(others.allow) }

    /// Whether all of them are some that exist.
    package var areKnown: Bool { names.allSatisfy(Self.known.contains) }

    /// Every name: the wholes, the parts as Mastodon has them (docs.joinmastodon.org/api/oauth-scopes), and this hub's own. Each part
    /// belongs to its whole.
    package static let known: Set<String> = {
        let both = [
            "accounts", "blocks", "bookmarks", "favourites", "filters", "follows", "lists", "mutes", "notifications",
            "statuses",
        ]
        let wholes = ["read", "write", "follow", "push", "profile"]
        return Set(
            wholes + (both + own + ["search"]).map { "read:\($0)" }
                + (both + own + ["conversations", "reports"]).map { "write:\($0)" })
    }()

    /// Parts that Mastodon has no names for, to be read and written; it writes media too. *frames*: screens that show one person's posts.
    /// *moderation*: reports, cases, verdicts, and all that only moderators and the owner do. *orders*: all that binds to money or moves it.
    package static let own = ["frames", "media", "moderation", "orders"]

    /// As they are written, in order.
    package var text: String { names.sorted().joined(separator: " ") }
}
