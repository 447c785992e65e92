public import ChirpHTTP

/// Where a stranger's clip may be fetched from. The addresses behind names are checked by the transport, on the very
/// connection (``CurlSettings/onlyPublicAddresses``); these rules are about what stands in the address.
///
/// What the user's configuration names may be private, on any port and by plain http, but that is said of an origin (scheme, host
/// and port), never of a host: another port of the same machine is another service.
public struct HostRules: Hashable, Sendable {
    private let places: Set<TrustedPlace>
    /// Everything on this machine is as if it were named, for tests.
    private let trustsLoopback: Bool

    /// - Parameter trusted: the addresses of places that hold clips, as the configuration names them.
    public init(trusted: [WebAddress] = []) {
        places = Set(trusted.map { TrustedPlace($0) })
        trustsLoopback = false
    }

    /// Without a place that is named.
    ///
    /// - Parameter trustsLoopback: plain http to this machine too, for tests.
    package init(trustsLoopback: Bool) {
        places = []
        self.trustsLoopback = trustsLoopback
    }

    /// Whether the address is that of a clip in a place that the user has named, so that it needs no further check.
    public func trusts(_ address: WebAddress) -> Bool {
        trustsLoopback && address.isLoopback || places.contains { $0.holdsClip(at: address) }
    }

    /// Why the address may not be asked; nil when it may.
    public func refusal(of address: WebAddress) -> String? {
        trusts(address) ? nil : Self.refusalByStranger(of: address)
    }

    /// Why an address that nobody has named may not be asked; nil when it is one of the public Internet.
    package static func refusalByStranger(of address: WebAddress) -> String? {
        if !address.isSecure { return "plain http to \(address.host)" }
        if let port = address.port, port != 443 { return "an unusual port at \(address.host)" }
        let host = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
        let isLocal = [".local", ".localhost", ".localdomain", ".internal", ".lan", ".home.arpa"].contains {
            host.hasSuffix($0)
        }
        if address.isLoopback || isLocal || !host.contains(".") {
            return "\(host) is not on the public Internet"
        }
        if let bytes = numeric(host), !PublicAddress.isPublic(bytes) {
            return "\(host) is not a public address"
        }
        return nil
    }

    /// Whether a redirect may be followed there: within its origin, or to the public Internet by https. Drive's stay with Google.
    public func allowsRedirect(from place: WebAddress, to address: WebAddress, of clip: ClipAddress) -> Bool {
        if WebOrigin(place) == WebOrigin(address) { return true }
        guard Self.refusalByStranger(of: address) == nil else { return false }
        guard case .drive = clip else { return true }
        return ["google.com", "googleusercontent.com"].contains {
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
