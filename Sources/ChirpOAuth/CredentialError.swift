public import ChirpCore
internal import ChirpHTTP

/// Why the credentials cannot be used.
public enum CredentialError: Explained, Hashable {
    /// Others on this machine can read the file.
    case exposed(path: String, mode: String)
    case malformed(path: String, reason: String)
    case inputOutput(path: String, reason: String)
    /// Another process holds the file for longer than any refresh takes.
    case locked(path: String)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .exposed(let path, let mode):
            "\(PlainText(path, limit: 200)) can be read by others on this machine (mode \(mode))"
        case .malformed(let path, let reason): "\(PlainText(path, limit: 200)) holds no credentials: \(reason)"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .locked(let path): "\(PlainText(path, limit: 200)) is in use by another process"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .exposed(let path, _): .makePrivate(path: path)
        case .malformed(let path, _):
            .first(.advice("Move \(PlainText(path, limit: 200)) away"), then: .signIn(service: nil))
        case .inputOutput: .advice("Check the free space and the permissions")
        case .locked: .advice("Wait for the other process to end, then try again")
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .exposed, .malformed: .badConfiguration
        case .inputOutput: .inputOutput
        case .locked: .temporary
        case .cancelled: .interrupted
        }
    }

    /// As a request sees it that needs a token.
    var asHTTPError: HTTPError {
        switch self {
        case .exposed(let path, let mode):
            .inputOutput(path: path, reason: "others can read it (mode \(mode)), and only its owner may (mode 600)")
        case .malformed(let path, let reason), .inputOutput(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .locked(let path): .interrupted(host: path, reason: "another process holds it")
        case .cancelled: .cancelled
        }
    }
}
