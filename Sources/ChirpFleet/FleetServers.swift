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
                throw .badAddress("\(scheme)...", reason: "credentials belong into a file, see fleet.credentials")
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
