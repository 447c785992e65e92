/// The part of an address that one customer of a provider holds: an IPv4 address, or the first 64 bits of an IPv6 address, since a
/// household is given 64 bits or more (RFC 6177, section 2) and can use 2^64 addresses of them.
///
/// Limits, shares and digests are made of this and never of an address: whoever counted addresses would give one household as many
/// allowances as it likes.
package struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 8 bytes in network order; none where the address is not known.
    package let bytes: [UInt8]
    /// Whether the whole address is one of this machine.
    package let isLoopback: Bool

    /// All clients whose address is not known.
    package static let unknown = ClientNetwork("")

    /// - Parameter address: as text. An IPv4 address in the form of IPv6 (RFC 4291, 2.5.5.2) is one of IPv4; what is no address is
    ///   ``unknown``.
    package init(_ address: some StringProtocol) {
        let whole = AddressBlock.bytes(of: address) ?? []
        bytes = Array(whole.prefix(whole.count == 4 ? 4 : 8))
        isLoopback = whole.count == 4 ? whole.first == 127 : whole == Array(repeating: 0, count: 15) + [1]
    }

    /// For keys of tables, not for people.
    package var description: String { bytes.map { String($0, radix: 16) }.joined(separator: ".") }

    package static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
