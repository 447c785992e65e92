/// Addresses within a text, as they may be shown: in logs, in messages about what was typed, and where settings are listed.
///
/// A name with its password may stand before a host, and a key in a query. Both are secrets wherever the address is one.
public enum AddressText {
    /// The text with `...` for what stands before the `@` of an address, and for its query; what is no address is left as it is. A password
    /// may hold what no address may, so a part that is no plain host is hidden to the last `@`, or as a whole.
    public static func masked(_ text: String) -> String {
        guard let first = text.firstRange(of: "://") else { return text }
        var (shown, rest) = (String(text[..<first.upperBound]), text[first.upperBound...])
        while let (start, end) = beginning(in: rest) {
            shown += "\(address(rest[..<start]))\(rest[start..<end])"
            rest = rest[end...]
        }
        return shown + address(rest)
    }

    /// Where another address begins, and what stands behind its `://`. What a password may hold is none.
    private static func beginning(in text: Substring) -> (start: String.Index, end: String.Index)? {
        var rest = text
        while let found = rest.firstRange(of: "://") {
            let scheme = text[..<found.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.count
            let start = text.index(found.lowerBound, offsetBy: -scheme)
            if let last = text[..<start].last, last.isWhitespace || ",=".contains(last) {
                return (start, found.upperBound)
            }
            rest = rest[found.upperBound...]
        }
        return nil
    }

    /// What follows on `://`, up to a space: behind it are words.
    private static func address(_ text: Substring) -> String {
        let address = text.prefix { !$0.isWhitespace }
        let words = text.dropFirst(address.count)
        guard address.contains(where: { $0 != "," }) else { return String(text) }
        var authority = address.prefix { !"/?#".contains($0) }
        while authority.last == "," { authority.removeLast() }
        guard isHost(authority) else {
            guard let at = address.lastIndex(of: "@") else { return "...\(words)" }
            return "...@\(Self.address(address[address.index(after: at)...]))\(words)"
        }
        let place = address.prefix { $0 != "?" }
        return "\(place)\(place.count < address.count ? "?..." : "")\(words)"
    }

    /// A name or number with its port: nothing of it is secret.
    private static func isHost(_ text: Substring) -> Bool {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        let parts = text[end...].split(separator: ":", omittingEmptySubsequences: false)
        guard !text.isEmpty, parts.count <= 2, !text.contains("@") else { return false }
        return parts.count == 1 || parts[1].allSatisfy { ("0"..."9").contains($0) }
    }
}
