public import ChirpHTTP

/// Where a stranger's clip may be fetched from. The addresses behind names are checked by the transport, on the very
/// connection (``CurlSettings/onlyPublicAddresses``); these rules are about what stands in the address.
public struct HostRules: Hashable, Sendable {
    /// Hosts that may be private, loopback or plain http, because the user's configuration names them.
    public var trusted: Set<String>

    public init(trusted: Set<String> = []) { self.trusted = Set(trusted.map { $0.lowercased() }) }

    /// Whether the host was named by the user, so that its address needs no check.
    public func trusts(_ address: WebAddress) -> Bool { trusted.contains(address.host) }

    /// Why the address may not be asked; nil when it may.
    public func refusal(of address: WebAddress) -> String? {
        if trusts(address) { return nil }
        if !address.isSecure { return "plain http to \(address.host)" }
        if let port = address.port, port != 443 { return "an unusual port at \(address.host)" }
        let host = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
        if address.isLoopback || host.hasSuffix(".local") || host.hasSuffix(".internal") || !host.contains(".") {
            return "\(host) is not on the public Internet"
        }
        if let bytes = Self.numeric(host), !PublicAddress.isPublic(bytes) {
            return "\(host) is not a public address"
        }
        return nil
    }

    /// Whether a redirect may be followed there: Drive stays with Google, the others follow the rules for first addresses.
    public func allowsRedirect(to address: WebAddress, of clip: ClipAddress) -> Bool {
        guard refusal(of: address) == nil else { return false }
        guard case .drive = clip else { return true }
        return trusts(address)
            || ["google.com", "googleusercontent.com"].contains {
                address.host == $0 || address.host.hasSuffix("." + $0)
            }
    }

    /// The bytes of an IPv4 address in any form that resolvers take (dotted, hexadecimal, octal, one number). An IPv6 literal
    /// gives an empty list, which is not public: clips have no business there.
    static func numeric(_ host: String) -> [UInt8]? {
        if host.contains(":") { return [] }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 4, let last = parts.last, last.first?.isNumber == true else { return nil }
        let numbers = parts.map(number)
        guard !numbers.contains(nil) else { return [] }
        let values = numbers.compactMap { $0 }
        guard values.dropLast().allSatisfy({ $0 < 256 }), let tail = values.last,
            tail < 1 << (8 * UInt64(5 - values.count))
        else { return [] }
        var bytes = values.dropLast().map { UInt8(truncatingIfNeeded: $0) }
        for shift in stride(from: 8 * (4 - bytes.count) - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: tail >> UInt64(shift)))
        }
        return bytes
    }

    private static func number(_ part: Substring) -> UInt64? {
        if part.lowercased().hasPrefix("0x") { return UInt64(part.dropFirst(2), radix: 16) }
        return part.count > 1 && part.hasPrefix("0") ? UInt64(part.dropFirst(), radix: 8) : UInt64(part, radix: 10)
    }
}
