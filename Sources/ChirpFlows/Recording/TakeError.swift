public import ChirpCore

/// Why takes cannot be listed, kept or deleted.
public enum TakeError: Explained, Hashable {
    case unknown(String)
    case ambiguous(String, [String])
    case inputOutput(path: String, reason: String)

    public var whatHappened: String {
        switch self {
        case .unknown(let id): "there is no take called '\(PlainText(id, limit: 60))'"
        case .ambiguous(let id, let ids):
            "'\(PlainText(id, limit: 60))' begins the names of \(ids.joined(separator: ", "))"
        case .inputOutput(let path, let reason):
            "'\(PlainText(path, limit: 200))' failed: \(PlainText(reason, limit: 200))"
        }
    }

    public var cure: Cure {
        switch self {
        case .unknown, .ambiguous: .look(at: .takes)
        case .inputOutput: .advice("Check the free space and the permissions of the folder")
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .unknown, .ambiguous: .usage
        case .inputOutput: .inputOutput
        }
    }
}
