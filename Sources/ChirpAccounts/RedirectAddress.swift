/// Where a program wants the browser back (RFC 6749, section 3.1.2): an absolute address without a fragment, or the one that means
/// "show the code".
package struct RedirectAddress: Hashable, Sendable {
    package let text: String
    /// What a page's policy has to name so that its form may lead there (CSP level 3, `form-action`): `https://client.example:8443`
    /// or `client:`. Empty for ``outOfBand``.
    package let origin: String
    /// What follows the port; nil where any port does: loopback alone (RFC 8252, section 7.3).
    private let behindPort: String?

    /// The code is shown on a page, and the person types it into the program.
    package static let outOfBand = RedirectAddress(text: "urn:ietf:wg:oauth:2.0:oob", origin: "", behindPort: nil)
    package static let longest = 500

    private init(text: String, origin: String, behindPort: String?) {
        self.text = text
        self.origin = origin
        self.behindPort = behindPort
    }

    /// - Parameter text: nil comes of whatever a browser could take for a script or a page of its own, and of every address in which
    ///   a host cannot be told with certainty.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        if text == Self.outOfBand.text {
            self = .outOfBand
            return
        }
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, Self.isLetter(first),
            scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }),
            !Self.refusedSchemes.contains(scheme)
        else { return nil }
        let rest = text[text.index(after: colon)...]
        guard scheme == "http" || scheme == "https" else {
            guard !rest.isEmpty else { return nil }
            self.init(text: text, origin: "\(scheme):", behindPort: nil)
            return
        }
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        let tail = rest.dropFirst(2 + authority.count)
        let host = Self.host(of: authority).lowercased()
        let port = authority.dropFirst(host.count)
        guard !host.isEmpty,
            port.isEmpty || port.first == ":" && port.dropFirst().integer(in: 1...65535) != nil
        else { return nil }
        let isLoopback = scheme == "http" && ["127.0.0.1", "[::1]", "localhost"].contains(host)
        self.init(
            text: text, origin: "\(scheme)://\(host)\(port)", behindPort: isLoopback ? "\(host) \(tail)" : nil)
    }

    /// Whether an address is this registered one: the same text, or on loopback the same but for the port.
    package func allows(_ given: RedirectAddress) -> Bool {
        if let behindPort { return behindPort == given.behindPort }
        return text == given.text
    }

    /// A host name, an IPv4 address, or an IPv6 address in brackets; empty for anything else, such as what has a user's name before it.
    private static func host(of authority: Substring) -> Substring {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return "" }
            let inside = authority[authority.index(after: authority.startIndex)..<end]
            guard inside.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || hexadecimal.contains($0) }) else { return "" }
            return authority[...end]
        }
        let host = authority.prefix { $0 != ":" }
        let isHost = host.utf8.allSatisfy {
            isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        return isHost ? host : ""
    }

    /// Those that a browser opens by itself, or runs.
    private static let refusedSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "ftp", "javascript", "mailto", "urn", "vbscript", "view-source",
        "ws",
        "wss",
    ]
    private static let hexadecimal = Set("0123456789abcdefABCDEF.".utf8)

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// What stands in an address as it is (RFC 3986, section 2), without the sign of a fragment.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}
