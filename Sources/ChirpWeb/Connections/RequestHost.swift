/// For which host a request is: by its field `Host`, and by its first line where that holds a whole address.
package enum RequestHost {
    /// Two values of `Host` that no request is let through with: neither is a name, and they differ.
    static let mark = ["", "?"]

    /// Whether a request names one host (RFC 9112, section 3.2): one `Host`, well-formed, and where the first line has a host, that one.
    ///
    /// - Parameters:
    ///   - target: of the first line: a path, `*`, or a whole http(s) address. Nothing else is asked of this server.
    ///   - fields: the values of `Host`.
    ///   - mayLack: without any it is one too, as in HTTP/1.0.
    package static func isOne(target: String, fields: [String], mayLack: Bool) -> Bool {
        guard fields.count <= 1 else { return false }
        if let field = fields.first, !isWellFormed(field) { return false }
        if target.utf8.first == UInt8(ascii: "/") || target == "*" { return mayLack || !fields.isEmpty }
        guard let (authority, port) = authority(of: target), isWellFormed(authority) else { return false }
        guard let field = fields.first else { return mayLack }
        return plain(field, port) == plain(authority, port)
    }

    /// Whether the names of a request are one: that of HTTP/2's `:authority` or of the first `Host`, and the further fields `Host`.
    static func isOne(authority: String?, fields: [String]) -> Bool {
        fields.count <= 1 && (authority == nil || fields.allSatisfy { $0.lowercased() == authority?.lowercased() })
    }

    /// The host of a whole address, and the port of its scheme; nil for what is no http(s) address.
    private static func authority(of target: String) -> (authority: String, port: String)? {
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where target.prefix(scheme.count).lowercased() == scheme {
            let rest = target.dropFirst(scheme.count)
            return (String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }), port)
        }
        return nil
    }

    /// In small letters, without the scheme's own port (RFC 9110, section 4.2.3).
    private static func plain(_ host: String, _ port: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    /// A name, an address or one in brackets, perhaps with a port (RFC 3986, section 3.2.2), without a user's name.
    private static func isWellFormed(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-._~!$&'()*+;=:[]%".utf8.contains(byte)
                }
            }
    }
}
