public import ChirpCore

/// A server that takes letters (RFC 6409), and how it is talked to.
public struct MailServer: Hashable, Sendable {
    /// How the connection is kept from others.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// TLS from the first byte (RFC 8314).
        case tls
        /// Begins readable and goes on with TLS, or not at all (RFC 3207).
        case starttls
        /// None; on this machine alone.
        case plain
    }

    public let host: String
    public let port: Int
    public let encryption: Encryption
    public let user: String?
    public let password: Secret?
    /// A file of certificates to trust instead of the system's.
    public var authorities: String?

    /// - Parameters:
    ///   - host: a name or an address, without a port.
    ///   - port: nil for the usual one of the encryption.
    ///   - encryption: nil: ``Encryption/plain`` for a server on this machine, otherwise ``Encryption/starttls``.
    /// - Throws: ``MailError/badServer(_:)``, ``MailError/insecure(host:)``.
    public init(
        host: String, port: Int? = nil, encryption: Encryption? = nil, user: String? = nil, password: Secret? = nil
    ) throws(MailError) {
        // It becomes part of an address.
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let isNumber = bare.contains(":")
        guard !bare.isEmpty, bare.utf8.count <= 253,
            bare.utf8.allSatisfy({ Self.isAllowed($0, inNumber: isNumber) })
        else { throw .badServer("'\(PlainText(host, limit: 100))' is no name of a server") }
        self.host = isNumber ? "[\(bare)]" : bare
        let address = WebAddress("http://\(self.host)/")
        guard let address else { throw .badServer("'\(PlainText(host, limit: 100))' is no name of a server") }
        let encryption = encryption ?? (address.isLoopback ? Encryption.plain : .starttls)
        guard encryption != .plain || address.isLoopback else { throw .insecure(host: host) }
        self.encryption = encryption
        let usual =
            switch encryption {
            case .tls: 465
            case .starttls: 587
            case .plain: 25
            }
        self.port = port ?? usual
        guard (1...65535).contains(self.port) else { throw .badServer("\(self.port) is no port") }
        self.user = user
        self.password = password
    }

    private static func isAllowed(_ byte: UInt8, inNumber: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        case UInt8(ascii: ":"): inNumber
        default: false
        }
    }
}
