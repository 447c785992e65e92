/// Another server's drawings for the moving map. Browsers ask there; the hub never does.
package struct MapTiles: Hashable, Sendable {
    /// An address with `{z}`, `{x}` and `{y}` for zoom, column and row.
    package let template: String
    /// Whom the drawings are from, in the words that their licence asks for.
    package let attribution: String
    /// The server as a policy names it: `https://tiles.example.org`.
    package let origin: String

    /// Nil for what is no such address, or could say something else where it is written.
    ///
    /// - Parameter template: https, or http on this machine; with one host, so that exactly that can be allowed.
    package init?(template: String, attribution: String) {
        guard template.utf8.count <= 500, let origin = Self.origin(of: template) else { return nil }
        let plain = ["{z}", "{x}", "{y}"].reduce(template) { $0.replacing($1, with: "") }
        guard plain.utf8.count == template.utf8.count - 9, !plain.contains("{"), !plain.contains("}"),
            plain.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x27 && $0 != 0x3C && $0 != 0x3E }
            )
        else { return nil }
        self.template = template
        self.attribution = String(attribution.prefix(200))
        self.origin = origin
    }

    /// Letters, digits and what else hosts and ports have: nothing that would end a directive of a policy.
    private static func origin(of template: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: template.hasPrefix) else { return nil }
        let authority = template.dropFirst(scheme.count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard template.dropFirst(scheme.count + authority.count).hasPrefix("/"), let host = parts.first, !host.isEmpty,
            host.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E
            }), parts.count == 1 || parts[1].integer(in: 1...65535) != nil,
            scheme == "https://" || host == "localhost" || host.hasPrefix("127.")
        else { return nil }
        return scheme + authority
    }
}
