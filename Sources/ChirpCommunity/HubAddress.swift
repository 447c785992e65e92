public import ChirpCore
internal import FoundationEssentials

/// Where the hub listens, and what it calls itself in links.
public struct HubAddress: Hashable, Sendable {
    /// The address to listen on. Loopback unless somebody decides otherwise, because whoever reaches it reads the list page.
    public let bind: String
    /// The port to listen on, 1...65535; 0 lets the system choose one (tests).
    public let port: Int
    /// What links begin with: `http(s)://host[:port][/path]`, without a slash at the end.
    public let publicURL: String

    /// The port that belongs to the project unless told otherwise.
    public static let defaultPort = 4747
    public static let defaultPublicURL = "http://127.0.0.1:4747"

    /// - Parameters:
    ///   - bind: an IP address or a host name.
    ///   - port: 0...65535.
    ///   - publicURL: nil derives it from the others.
    ///   - isSecure: whether the hub itself speaks TLS.
    /// - Throws: ``HubAddressError``.
    public init(
        bind: String = "127.0.0.1", port: Int = HubAddress.defaultPort, publicURL: String? = nil, isSecure: Bool = false
    ) throws(HubAddressError) {
        let hostIsPlain = bind.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "%"): true
            default: false
            }
        }
        guard hostIsPlain, !bind.isEmpty else {
            throw HubAddressError(part: .listening, value: bind, accepted: "127.0.0.1, ::1, 0.0.0.0 or a host name")
        }
        guard (0...65535).contains(port) else {
            throw HubAddressError(part: .port, value: String(port), accepted: "4747, or any from 1 to 65535")
        }
        self.bind = bind
        self.port = port
        self.publicURL = try Self.checked(publicURL ?? Self.url(bind: bind, port: port, isSecure: isSecure))
    }

    /// A public address in the one form in which it is used: no slash at the end, `http` or `https`, with a host.
    ///
    /// - Throws: ``HubAddressError`` for anything else, a query or user name included.
    public static func checked(_ publicURL: String) throws(HubAddressError) -> String {
        var text = Substring(publicURL)
        while text.last == "/" { text = text.dropLast() }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"<>"'`\{}^|"#.utf8.contains($0) }
        let parts = URLComponents(string: String(text))
        guard isPlain, let parts, let scheme = parts.scheme, ["http", "https"].contains(scheme),
            parts.host?.isEmpty == false, parts.user == nil, parts.query == nil, parts.fragment == nil
        else {
            throw HubAddressError(
                part: .publicURL, value: publicURL, accepted: "https://clips.example.org or \(defaultPublicURL)")
        }
        return String(text)
    }

    /// The address a browser on this machine uses. A wildcard address is reached over loopback.
    static func url(bind: String, port: Int, isSecure: Bool = false) -> String {
        let scheme = isSecure ? "https" : "http"
        return switch bind {
        case "0.0.0.0", "::": "\(scheme)://127.0.0.1:\(port)"
        case let host where host.contains(":"): "\(scheme)://[\(host)]:\(port)"
        default: "\(scheme)://\(bind):\(port)"
        }
    }

    /// Whether what comes from this machine comes from a reverse proxy: the public address is another host's than the one that
    /// is listened on.
    package var proxyIsLocal: Bool {
        guard let host = URLComponents(string: publicURL)?.host?.lowercased() else { return false }
        let plain = host.trimmingPrefix("[").prefix { $0 != "]" }
        return !(plain.hasPrefix("127.") || plain == "localhost" || plain == "::1" || plain == bind.lowercased())
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool { bind.hasPrefix("127.") || bind == "::1" || bind == "localhost" }
}

/// What cannot be the hub's address, or part of it.
public struct HubAddressError: Explained, Hashable {
    /// Which part of it, in words.
    public enum Part: String, Sendable {
        case listening = "the address that the hub listens on"
        case port = "the hub's port"
        case publicURL = "the hub's public address"
    }

    public let part: Part
    public let value: String
    /// Examples of what can.
    public let accepted: String

    public var whatHappened: String {
        "\(part.rawValue) cannot be '\(PlainText(AddressText.masked(value), limit: 200))'"
    }
    public var cure: Cure { .advice("Accepted: \(accepted)") }
    public var exitCode: ExitCode { .badConfiguration }
}
