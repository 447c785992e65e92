public import ChirpCore

/// Why a letter was not taken by a server. No case holds an address of a person.
public enum MailError: Explained, Hashable {
    /// The settings make no sense; a sentence without its full stop.
    case badServer(String)
    /// Without encryption to another machine.
    case insecure(host: String)
    /// An address that would not stay one in a command.
    case badAddress
    case libraryMissing(String)
    case unresolved(host: String)
    case unreachable(host: String, reason: String)
    /// The server did not prove who it is, or offers no encryption.
    case untrusted(host: String, reason: String)
    /// User or password is not taken.
    case signedOut(host: String)
    /// The server says no, for good (5yz of RFC 5321, section 4.2.1).
    case refused(host: String, code: Int)
    /// The server says no for now (4yz).
    case notNow(host: String, code: Int)
    /// The connection broke or fell silent. The letter may have been taken.
    case interrupted(host: String, reason: String)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .badServer(let problem): "the mail server cannot be used: \(problem)"
        case .insecure(let host): "letters to \(Self.shown(host)) would be sent readable"
        case .badAddress: "the address cannot be sent to"
        case .libraryMissing(let reason): "libcurl cannot be used: \(reason)"
        case .unresolved(let host): "the name \(Self.shown(host)) cannot be found"
        case .unreachable(let host, let reason):
            "no connection to \(Self.shown(host)): \(PlainText(reason, limit: 200))"
        case .untrusted(let host, let reason):
            "\(Self.shown(host)) cannot be trusted: \(PlainText(reason, limit: 200))"
        case .signedOut(let host): "\(Self.shown(host)) does not take the user or the password"
        case .refused(let host, let code): "\(Self.shown(host)) refuses with \(code)"
        case .notNow(let host, let code): "\(Self.shown(host)) takes nothing at the moment (\(code))"
        case .interrupted(let host, let reason):
            "the connection to \(Self.shown(host)) broke: \(PlainText(reason, limit: 200))"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .badServer, .insecure: .advice("Check name, port and encryption of the mail server")
        case .badAddress: .advice("Check the address")
        case .libraryMissing: .install(package: "libcurl4")
        case .unresolved, .unreachable, .interrupted, .notNow:
            .advice("Check the network and the mail server, then try again")
        case .untrusted: .advice("Check the mail server's certificate, and this machine's clock")
        case .signedOut: .advice("Check user and password for the mail server")
        case .refused: .advice("Check that the mail server takes letters from this address")
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .badServer, .insecure: .badConfiguration
        case .badAddress, .libraryMissing, .untrusted, .refused: .refused
        case .unresolved, .unreachable, .interrupted, .notNow: .temporary
        case .signedOut: .signInNeeded
        case .cancelled: .interrupted
        }
    }

    private static func shown(_ host: String) -> PlainText { PlainText(host, limit: 100) }
}
