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

    public var whatToDo: String {
        switch self {
        case .exposed(let path, _): "Run: chmod 600 '\(PlainText(path, limit: 200))'"
        case .malformed(let path, _): "Move \(PlainText(path, limit: 200)) away and sign in again with: chirp login"
        case .inputOutput: "Check the free space and the permissions"
        case .locked: "Wait for the other chirp to end, then try again"
        case .cancelled: ""
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
            .inputOutput(path: path, reason: "others can read it (mode \(mode)); run: chmod 600")
        case .malformed(let path, let reason), .inputOutput(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .locked(let path): .interrupted(host: path, reason: "another process holds it")
        case .cancelled: .cancelled
        }
    }
}
