internal import CCurl
internal import ChirpCore

/// Gives letters to a mail server, over the system's libcurl: a connection each, since a hub writes few.
public struct SMTPTransport: Sendable {
    public let server: MailServer
    /// For the connection, and for all of one letter.
    private let patience: (connection: Duration, letter: Duration)

    public init(
        _ server: MailServer, connectTimeout: Duration = .seconds(15), letterTimeout: Duration = .seconds(60)
    ) {
        self.server = server
        patience = (connectTimeout, letterTimeout)
    }

    /// Gives a letter to the server. When this returns the server has taken it upon itself.
    ///
    /// - Parameters:
    ///   - from: where complaints go; the server is greeted with its domain.
    ///   - letter: as RFC 5322 has it, with `\r\n`; lines that begin with a dot are libcurl's business.
    public func send(from: String, to: String, _ letter: [UInt8]) async throws(MailError) {
        guard Self.isSendable(from), Self.isSendable(to) else { throw .badAddress }
        try await offPool { () throws(MailError) in
            try SMTPTransfer(server, greeting: Self.domain(of: from), letter: (from, to, letter), patience).run()
        }
    }

    /// Whether the server answers, encrypts as it should and takes the password. Sends nothing.
    public func check(from: String) async throws(MailError) {
        guard Self.isSendable(from) else { throw .badAddress }
        try await offPool { () throws(MailError) in
            try SMTPTransfer(server, greeting: Self.domain(of: from), letter: nil, patience).run()
        }
    }

    /// A command ends with its line, so that nothing in an address may end one.
    private static func isSendable(_ address: String) -> Bool {
        address.utf8.count <= 254 && address.utf8.allSatisfy { (32...126).contains($0) }
            && address.utf8.contains(UInt8(ascii: "@")) && !address.hasPrefix("<")
    }

    private static func domain(of address: String) -> String {
        let domain = address.split(separator: "@").last ?? ""
        let isName =
            !domain.isEmpty && domain.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        return isName ? String(domain) : "localhost"
    }
}
