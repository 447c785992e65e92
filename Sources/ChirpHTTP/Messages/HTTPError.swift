public import ChirpCore
internal import ChirpFiles

/// Why there is no answer. No case holds an address's query, a header field or content: they may be secret.
public enum HTTPError: Explained, Hashable {
    /// Not an address that can be asked; the text says what is wrong with it.
    case badAddress(String)
    /// Plain http to another machine.
    case insecure(host: String)
    /// The system's libcurl is absent or unusable.
    case libraryMissing(String)
    case unresolved(host: String)
    /// No connection: the request was certainly not carried out.
    case unreachable(host: String, reason: String)
    /// The server did not prove who it is.
    case untrusted(host: String, reason: String)
    /// The name leads to a private, loopback or otherwise special address, and only public ones are allowed.
    case privateAddress(host: String)
    /// The connection broke or fell silent. The request may have been carried out.
    case interrupted(host: String, reason: String)
    case tooLarge(host: String, limit: ByteCount)
    /// A redirect that the rules do not allow, or too many of them.
    case redirect(host: String, reason: String)
    case malformed(host: String, reason: String)
    /// The sign-in is missing, expired or revoked; the cause is a sentence without its full stop, or empty.
    case signedOut(service: String, cause: String)
    case inputOutput(path: String, reason: String)
    case cancelled

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch self {
        case .unresolved, .unreachable, .interrupted: true
        case .badAddress, .insecure, .libraryMissing, .untrusted, .privateAddress, .tooLarge, .redirect, .malformed,
            .signedOut, .inputOutput, .cancelled:
            false
        }
    }

    public var whatHappened: String {
        switch self {
        case .badAddress(let problem): "the address cannot be used: \(PlainText(problem, limit: 200))"
        case .insecure(let host): "plain http to \(Self.shown(host)) would send everything readable"
        case .libraryMissing(let reason): "libcurl cannot be used: \(reason)"
        case .unresolved(let host): "the name \(Self.shown(host)) cannot be found"
        case .unreachable(let host, let reason):
            "no connection to \(Self.shown(host)): \(PlainText(reason, limit: 200))"
        case .untrusted(let host, let reason):
            "\(Self.shown(host)) cannot be trusted: \(PlainText(reason, limit: 200))"
        case .privateAddress(let host): "\(Self.shown(host)) is not a public address"
        case .interrupted(let host, let reason):
            "the connection to \(Self.shown(host)) broke: \(PlainText(reason, limit: 200))"
        case .tooLarge(let host, let limit): "the answer of \(Self.shown(host)) is larger than \(limit)"
        case .redirect(let host, let reason): "\(Self.shown(host)) redirects: \(PlainText(reason, limit: 200))"
        case .malformed(let host, let reason):
            "\(Self.shown(host)) gave an answer that makes no sense: \(PlainText(reason, limit: 200))"
        case .signedOut(let service, ""): "not signed in to \(service)"
        case .signedOut(let service, let cause): "not signed in to \(service): \(PlainText(cause, limit: 400))"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .badAddress, .insecure: .set(.serviceAddress)
        case .libraryMissing: .install(package: "libcurl4")
        case .unresolved, .unreachable, .interrupted: .advice("Check the network, then try again")
        case .untrusted: .advice("Check this machine's clock and its ca-certificates package")
        case .privateAddress, .redirect, .tooLarge, .malformed: .advice("Check that the address is the right one")
        case .signedOut(let service, _): .signIn(service: service)
        case .inputOutput: .advice("Check the free space and the permissions")
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .badAddress, .insecure: .badConfiguration
        case .libraryMissing, .untrusted, .privateAddress, .tooLarge, .redirect, .malformed: .refused
        case .unresolved, .unreachable, .interrupted: .temporary
        case .signedOut: .signInNeeded
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        }
    }

    private static func shown(_ host: String) -> PlainText { PlainText(host, limit: 100) }
}

extension HTTPError {
    /// A file on the way that failed.
    init(_ error: FileError) { self = .inputOutput(path: error.path, reason: error.reason) }
}
