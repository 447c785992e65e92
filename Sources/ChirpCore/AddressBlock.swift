internal import Glibc

/// Addresses that begin with the same bits (RFC 4632, RFC 4291): `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16; what lies behind ``bits`` is zero.
    private let start: [UInt8]
    private let bits: Int

    /// - Parameter text: an address, perhaps with a slash and the number of bits, at least 1: all addresses are no block.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let start = Self.bytes(of: parts[0]) else { return nil }
        var bits = start.count * 8
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count),
                parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(parts[1]), (1...bits).contains(number)
            else { return nil }
            bits = number
        }
        self.bits = bits
        self.start = Self.masked(start, bits)
    }

    package var description: String {
        let text = Self.text(of: start)
        return bits == start.count * 8 ? text : "\(text)/\(bits)"
    }

    /// Whether another block lies in it; an address is a block of one.
    package func contains(_ other: AddressBlock) -> Bool { other.bits >= bits && contains(other.start) }

    /// Whether it holds a great part of all addresses.
    package var isVast: Bool { bits < (start.count == 4 ? 8 : 16) }

    func contains(_ address: [UInt8]) -> Bool { address.count == start.count && Self.masked(address, bits) == start }

    /// 4 or 16 bytes in network order; an IPv4 address in the form of IPv6 (RFC 4291, 2.5.5.2) is one of IPv4. Nil for what is no
    /// address, one with a zone included.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// The one spelling that the system has for an address.
    static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func masked(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { place, byte in
            let kept = min(8, max(0, bits - place * 8))
            return kept == 8 ? byte : byte & ~(UInt8(0xFF) >> UInt8(kept))
        }
    }
}
