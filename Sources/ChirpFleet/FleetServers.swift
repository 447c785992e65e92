/// The servers that hold a fleet's queue, as `--fleet` names them: `nats://one:4222,tls://two`.
public struct FleetServers: Hashable, Sendable, CustomStringConvertible {
    /// In the order given, one or more.
    public let addresses: [String]

    /// No fleet has more; each is tried in turn.
    private static let most = 16

    /// - Throws: `badAddress`. Names and passwords have no place in it: arguments can be read by everybody.
    public init(_ text: String) throws(FleetError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= Self.most else { throw .badAddress(text, reason: "there are more than \(Self.most)") }
        for part in parts {
            guard let scheme = ["nats://", "tls://"].first(where: { part.hasPrefix($0) }) else {
                throw .badAddress(part, reason: "it does not begin with nats:// or tls://")
            }
            let rest = part.dropFirst(scheme.count)
            // The library's own words for a mistake would show a password.
            guard !rest.contains("@") else {
                throw .badAddress("\(scheme)...", reason: "credentials belong into a file, not into an address")
            }
            guard !rest.isEmpty, rest.utf8.allSatisfy({ Self.isPartOfHost($0) }) else {
                throw .badAddress(part, reason: "its host is none")
            }
        }
        addresses = parts
    }

    public var description: String { addresses.joined(separator: ",") }

    /// How many copies of the queue there are unless told otherwise: three need three servers, and two protect nothing.
    public var usualReplicas: Int { addresses.count >= 3 ? 3 : 1 }

    /// One of them is written with `tls://`: then all are asked for it.
    var demandTLS: Bool { addresses.contains { $0.hasPrefix("tls://") } }

    /// The name that all of them have; nil for several names, and for numbers.
    var onlyName: String? {
        let hosts = Set(addresses.map(Self.host))
        guard hosts.count == 1, let host = hosts.first, !host.contains(":"),
            host.contains(where: { $0 != "." && !("0"..."9").contains($0) })
        else { return nil }
        return host
    }

    /// The first that is not on this machine.
    var firstElsewhere: String? {
        addresses.first { address in
            let host = Self.host(address)
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
            return !isLoopback && host != "localhost" && host != "::1"
        }
    }

    /// Without scheme, port and brackets, in lower case.
    private static func host(_ address: String) -> String {
        let rest = address.drop { $0 != "/" }.dropFirst(2)
        if rest.hasPrefix("[") { return rest.dropFirst().prefix { $0 != "]" }.lowercased() }
        return rest.prefix { $0 != ":" }.lowercased()
    }

    /// Names, IPv4, IPv6 in brackets, and a port.
    private static func isPartOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:[]%".utf8.contains(byte)
        }
    }
}
