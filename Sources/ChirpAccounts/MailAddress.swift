/// An address of e-mail (RFC 5321, sections 4.1.2 and 4.5.3.1): a dot-string or a quoted string, `@`, and a domain.
///
/// The domain is kept in lower case, since it is compared without case; the part before it belongs to its server and stays as it
/// is. Left out are domain literals (`ann@[192.0.2.1]`), because a hub must not be made to connect to addresses that somebody
/// types, comments and folding, which no server receives, and letters beyond ASCII.
package struct MailAddress: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// - Parameter typed: white space around it is left out.
    /// - Throws: ``AccountError/refused(_:_:)`` for the field `mail`.
    package init(typed: String) throws(AccountError) {
        let bytes = Array(typed.prefix(400).utf8).trimmed
        guard bytes.count <= 254 else { throw .refused(.mail, .mailLength) }
        guard bytes.allSatisfy({ $0 < 0x80 }) else {
            throw .refused(.mail, .mailLetters)
        }
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), Self.isLocalPart(bytes[..<at]),
            Self.isDomain(bytes[(at + 1)...])
        else { throw .refused(.mail, .mailForm) }
        text =
            String(decoding: bytes[...at], as: UTF8.self)
            + String(decoding: bytes[(at + 1)...], as: UTF8.self).lowercased()
    }

    /// An address that is in the database already.
    package init(stored text: String) { self.text = text }

    package var description: String { text }

    /// Where letters to it end up, as far as its text tells: two addresses of one mailbox have the same. It is for comparing alone, not for
    /// writing to.
    ///
    /// The part before the `@` is taken without case, which servers hardly ever tell apart (RFC 5321, section 2.4), without quotes (section
    /// 4.1.2) and without a tag behind `+` (RFC 5233); Google's mailboxes have two domains and pass over points. What a server calls by
    /// several names in other ways nobody outside can know.
    package var mailbox: String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text.lowercased() }
        var local = text[..<at].lowercased()
        var domain = text[text.utf8.index(after: at)...].lowercased()
        if local.hasPrefix("\""), local.hasSuffix("\""), local.utf8.count > 1 {
            local = Self.unquoted(local.dropFirst().dropLast())
        }
        // What is all tag is a name of its own.
        if let tag = local.firstIndex(of: "+"), tag != local.startIndex { local = String(local[..<tag]) }
        if domain == "googlemail.com" { domain = "gmail.com" }
        if domain == "gmail.com" { local.removeAll { $0 == "." } }
        return "\(local)@\(domain)"
    }

    private static func unquoted(_ text: Substring) -> String {
        var plain = ""
        var isEscaped = false
        for letter in text {
            if letter == "\\", !isEscaped {
                isEscaped = true
            } else {
                plain.append(letter)
                isEscaped = false
            }
        }
        return plain
    }

    private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...64).contains(bytes.count) else { return false }
        if bytes.first == UInt8(ascii: "\"") { return isQuoted(bytes) }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(isAtom)
        }
    }

    private static func isQuoted(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return false }
        var rest = bytes.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst(), (32...126).contains(escaped) else { return false }
            } else if byte == UInt8(ascii: "\"") || !(32...126).contains(byte) {
                return false
            }
        }
        return true
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...253).contains(bytes.count) else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isAtom(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension [UInt8] {
    /// Without blanks, tabs and ends of lines around it.
    fileprivate var trimmed: [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return Array(self[first...last])
    }
}
