internal import Glibc

/// A block of internet addresses (RFC 4632, RFC 4291): what begins with the same bits.
package struct AddressPrefix: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16, those behind the prefix zero.
    private let bytes: [UInt8]
    /// How many bits are the same.
    private let bits: Int

    /// - Parameter text: `192.0.2.0/24`, `2001:db8::/32`, or one address. Blocks that hold a great part of all addresses are none.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let address = Self.bytes(of: first) else { return nil }
        var bits = address.count * 8
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), number <= bits, number >= (address.count == 4 ? 8 : 16)
            else { return nil }
            bits = number
        }
        self.bits = bits
        bytes = Self.masked(address, bits)
    }

    /// Whether an address is in it.
    package func contains(_ address: AddressPrefix) -> Bool {
        bytes.count == address.bytes.count && address.bits >= bits && Self.masked(address.bytes, bits) == bytes
    }

    /// As it is kept: the shortest form, with the number of bits.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes { source in
            inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, source.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN))
        }
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(address)/\(bits)"
    }

    private static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        let text = String(text)
        var short = in_addr()
        if inet_pton(AF_INET, text, &short) == 1 { return withUnsafeBytes(of: &short) { Array($0) } }
        var long = in6_addr()
        guard inet_pton(AF_INET6, text, &long) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &long) { Array($0) }
        // An IPv4 address as a socket of IPv6 tells it (RFC 4291, 2.5.5.2).
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes.suffix(4)) : bytes
    }

    private static func masked(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { place, byte in
            let kept = min(8, max(0, bits - place * 8))
            return kept == 8 ? byte : byte & ~(0xFF >> UInt8(kept))
        }
    }
}
