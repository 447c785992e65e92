/// The name by which people call an account, without the leading `@`: 2 to 30 of `a`-`z`, `0`-`9` and `_`.
///
/// Kept in lower case, so that `Ann` and `ann` are one. ASCII alone: letters of other scripts that look like these would make two
/// people look like one (Unicode TR #39). What still looks alike, such as `bi11` and `bill`, has the same ``skeleton``.
package struct Handle: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let lengths = 2...30
    /// Names of pages and of those who run a hub, and the mailboxes of RFC 2142: nobody may pose as them.
    private static let reserved = [
        "about", "abuse", "account", "admin", "administrator", "api", "auth", "beats", "bookmarks", "c", "challenges",
        "chirp",
        "confirm",
        "everyone", "feed", "frame", "help", "home", "host", "hostmaster", "hub", "invite", "live", "lost_and_found",
        "mail", "media",
        "messages", "metrics", "mod", "moderation", "moderator", "news", "noreply", "notices", "nobody", "oauth",
        "official",
        "owner",
        "postmaster", "privacy", "public", "record", "replay", "report", "reset", "root", "search", "security",
        "settings",
        "share", "signin", "signout", "signup", "staff", "static", "status", "support", "system", "tag", "team",
        "terms",
        "uploads", "users", "webmaster", "well_known", "www",
    ]
    private static let reservedSkeletons = Set(reserved.map { Handle(stored: $0).skeleton })

    /// - Parameter typed: as somebody typed it; a leading `@` and white space around it are left out.
    /// - Throws: ``AccountError/refused(_:_:)`` for the field `handle`.
    package init(typed: String) throws(AccountError) {
        let typed = typed.prefix(200).drop { $0 == " " || $0 == "\t" }
        var text = (typed.first == "@" ? typed.dropFirst() : typed).lowercased()
        while text.last == " " || text.last == "\t" { text.removeLast() }
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            throw .refused(.handle, .handleLength)
        }
        guard text.utf8.contains(where: { $0 != UInt8(ascii: "_") }) else {
            throw .refused(.handle, .handleEmpty)
        }
        self.text = text
    }

    /// A name that is in the database already.
    init(stored text: String) { self.text = text }

    package var description: String { text }

    /// The same for all names that look alike in a common typeface.
    package var skeleton: String {
        var result = ""
        for character in text {
            switch character {
            case "_": continue
            case "0": result.append("o")
            case "1", "i", "j": result.append("l")
            case "2": result.append("z")
            case "5": result.append("s")
            case "8": result.append("b")
            case "9", "q": result.append("g")
            default: result.append(character)
            }
        }
        // Pairs that run together.
        for (pair, single) in [("rn", "m"), ("vv", "w"), ("cl", "d")] {
            var joined = ""
            var rest = Substring(result)
            while !rest.isEmpty {
                if rest.hasPrefix(pair) {
                    joined += single
                    rest = rest.dropFirst(2)
                } else {
                    joined.append(rest.removeFirst())
                }
            }
            result = joined
        }
        return result
    }

    /// Whether the hub keeps it for itself, or it looks like one of those. No account is given it; one that has it keeps it, and signs in by it.
    package var isReserved: Bool { Self.reservedSkeletons.contains(skeleton) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
