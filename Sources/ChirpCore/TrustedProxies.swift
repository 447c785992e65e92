/// The reverse proxies in front of this server: whose word counts on where a request comes from.
///
/// Each proxy writes the address that it saw at the end of `X-Forwarded-For`. So the list is read from its end: as long as an address is
/// a trusted proxy's, the one before it was written by that proxy. The first that is none is the visitor's; what stands before
/// it the visitor has written, and nobody looks at it.
package struct TrustedProxies: Hashable, Sendable {
    /// As they were given, in a form that can be read again.
    package let blocks: [AddressBlock]

    /// None: nobody's word counts.
    package static let none = TrustedProxies([])

    /// More proxies than that do not stand in a row.
    private static let mostHops = 16

    package init(_ blocks: [AddressBlock]) { self.blocks = blocks }

    /// - Parameter address: as text, without a port.
    package func contains(_ address: some StringProtocol) -> Bool {
        guard !blocks.isEmpty, let bytes = AddressBlock.bytes(of: address) else { return false }
        return blocks.contains { $0.contains(bytes) }
    }

    /// Where a request comes from.
    ///
    /// - Parameters:
    ///   - peer: the address at the other end of the connection.
    ///   - forwarded: the values of `X-Forwarded-For` in the order in which they arrived.
    /// - Returns: the visitor's address; `peer` as it is when that is no trusted proxy, or has named nobody.
    package func visitor(peer: String, forwarded: [String]) -> String {
        guard contains(peer) else { return peer }
        var nearest = peer
        for hop in Self.hops(forwarded) {
            // What is no address ends the row: nobody knows who wrote what stands before it.
            guard let bytes = AddressBlock.bytes(of: Self.bare(hop)) else { return nearest }
            nearest = AddressBlock.text(of: bytes)
            guard blocks.contains(where: { $0.contains(bytes) }) else { return nearest }
        }
        return nearest
    }

    /// The last ones, the nearest first. What stands before them is not even looked at.
    private static func hops(_ forwarded: [String]) -> [Substring] {
        var hops: [Substring] = []
        for field in forwarded.reversed() {
            var rest = field[...]
            while hops.count < mostHops {
                guard let comma = rest.utf8.lastIndex(of: UInt8(ascii: ",")) else {
                    hops.append(rest)
                    break
                }
                hops.append(rest[rest.utf8.index(after: comma)...])
                rest = rest[..<comma]
            }
        }
        return hops
    }

    /// An address without blanks, brackets and port: some proxies write `192.0.2.1:4321` and `[2001:db8::1]:4321`.
    private static func bare(_ hop: Substring) -> Substring {
        var text = hop.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return text }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return text }
            return text[text.index(after: text.startIndex)..<end]
        }
        guard let colon = text.firstIndex(of: ":"), text.contains("."), isPort(text[colon...]) else { return text }
        return text[..<colon]
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && (2...6).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
