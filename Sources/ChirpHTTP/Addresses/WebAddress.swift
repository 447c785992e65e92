internal import ChirpCore

/// An absolute http or https address, checked when it is made (RFC 3986; user names in it are refused, fragments dropped).
///
/// Its description leaves out the query, where codes and upload sessions are; ``text`` is the whole.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public let isSecure: Bool
    /// Lower case; an IPv6 literal stands without its brackets.
    public let host: String
    /// As written; nil means the scheme's own.
    public let port: Int?
    /// Begins with a slash; percent-encoded.
    public let path: String
    /// Without the question mark; percent-encoded; nil when there is none.
    public let query: String?

    /// In bytes.
    private static let longest = 8192

    /// Nil when the text is not an http(s) address, or is longer than 8,192 bytes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let lower = text.lowercased()
        var rest: Substring
        if lower.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst(8)
        } else if lower.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst(7)
        } else {
            return nil
        }
        rest = rest.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.count)
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.host = host
        self.port = port
        let path = rest.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = rest.count > path.count ? String(rest.dropFirst(path.count + 1)) : nil
    }

    private init(_ base: WebAddress, path: String, query: String?) {
        isSecure = base.isSecure
        host = base.host
        port = base.port
        self.path = path.hasPrefix("/") ? path : "/" + path
        self.query = query
    }

    /// The whole address. Secret where the query is.
    public var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    /// Scheme, host and port.
    public var origin: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + shown + (port.map { ":\($0)" } ?? "")
    }

    /// Whether it names this machine by a form that no resolver can turn elsewhere.
    public var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the path climbs, or may where it is decoded: a segment is `.` or `..`, encoded or not, or holds an encoded slash.
    /// What lies below a path is told by its beginning only when this is false.
    public var hasDotSegments: Bool {
        path.split(separator: "/").contains { segment in
            let name = PercentEncoding.decode(segment)
            return name == "." || name == ".." || name.contains("/") || name.contains("\\")
        }
    }

    /// The same server with segments added to the path, each percent-encoded.
    public func appending(_ segments: String...) -> WebAddress {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        for segment in segments { path += "/" + PercentEncoding.encode(segment) }
        return WebAddress(self, path: path, query: query)
    }

    /// The same server with another path, percent-encoded by the caller.
    public func replacing(path: String, query: String? = nil) -> WebAddress {
        precondition(path.utf8.allSatisfy(Self.isAllowed) && (query ?? "").utf8.allSatisfy(Self.isAllowed))
        return WebAddress(self, path: path, query: query)
    }

    /// With fields added to the query.
    public func adding(_ fields: KeyValuePairs<String, String>) -> WebAddress {
        let added = PercentEncoding.form(Array(fields.map { ($0.key, $0.value) }))
        let query = (query ?? "").isEmpty ? added : (query ?? "") + "&" + added
        return WebAddress(self, path: path, query: query.isEmpty ? nil : query)
    }

    /// The value of a field of the query, decoded.
    public func field(_ name: String) -> String? {
        guard let query else { return nil }
        return PercentEncoding.fields(of: query).first { $0.name == name }?.value
    }

    /// What a `Location` or a link means when found at this address (RFC 3986 section 5.2); nil when it is not http(s).
    public func resolving(_ reference: String) -> WebAddress? {
        // By bytes and before anything else: a stranger's text is long and in any script, and its characters are costly to find.
        let reference = String(Substring(reference.utf8.prefix { $0 != UInt8(ascii: "#") }))
        guard reference.utf8.count <= Self.longest, reference.utf8.allSatisfy(Self.isAllowed) else { return nil }
        if let absolute = WebAddress(reference) { return absolute }
        if reference.hasPrefix("//") { return WebAddress((isSecure ? "https:" : "http:") + reference) }
        if reference.hasPrefix("/") { return WebAddress(origin + reference) }
        if reference.hasPrefix("?") { return WebAddress(origin + path + reference) }
        // A colon before any slash makes it an address of another scheme.
        guard !reference.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") else { return nil }
        if reference.isEmpty { return self }
        let folder = path.prefix(upTo: path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.endIndex)
        return WebAddress(origin + folder + reference)
    }

    public var description: String { origin + path }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Printable ASCII without space, quotes, brackets and the like that no address holds unencoded.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: false  // " < > \ ^ ` { | }
        case 0x21...0x7E: true
        default: false
        }
    }

    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        var host = authority
        var port: Int?
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            let rest = authority[authority.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = portNumber(rest.dropFirst()) else { return nil }
                port = number
            }
        } else {
            if let colon = authority.firstIndex(of: ":") {
                guard let number = portNumber(authority[authority.index(after: colon)...]) else { return nil }
                port = number
                host = authority[..<colon]
            }
            let isHost = host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true  // 0-9 A-Z a-z - . _
                default: false
                }
            }
            guard isHost, !host.isEmpty, host.utf8.count <= 253 else { return nil }
        }
        return (host.lowercased(), port)
    }

    private static func portNumber(_ text: Substring) -> Int? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), (1...65535).contains(number)
        else {
            return nil
        }
        return number
    }
}

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
