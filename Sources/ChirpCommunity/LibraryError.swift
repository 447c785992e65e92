public import ChirpCore
internal import ChirpDatabase

/// Why the hub's library cannot do what was asked.
public enum LibraryError: Explained, Hashable {
    /// The folder of the library cannot be made or opened.
    case unusableFolder(path: String, reason: String)
    /// A later release has written the library in a form that this one does not know.
    case newerLibrary(path: String)
    /// Temporary: other processes kept the library locked.
    case busy(path: String)
    case noSpace(path: String)
    case inputOutput(path: String, reason: String)
    case cancelled

    public var whatHappened: String {
        switch self {
        case .unusableFolder(let path, let reason):
            "the hub's folder '\(PlainText(path, limit: 200))' cannot be used: \(reason)"
        case .newerLibrary(let path): "'\(PlainText(path, limit: 200))' was written by a newer Chirp"
        case .busy(let path): "'\(PlainText(path, limit: 200))' is locked by another process"
        case .noSpace(let path): "no space is left for '\(PlainText(path, limit: 200))'"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .unusableFolder: .either(.advice("Check its permissions"), .set(.dataFolder))
        case .newerLibrary: .either(.advice("Install the newer Chirp again"), .set(.dataFolder))
        case .busy: .advice("Try again")
        case .noSpace: .either(.advice("Free some space"), .sweep)
        case .inputOutput: .advice("Check the disk and the permissions")
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .unusableFolder: .cannotCreateOutput
        case .newerLibrary: .badConfiguration
        case .busy: .temporary
        case .noSpace: .noRoom
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        }
    }

    /// What the database said, in these terms.
    init(_ failure: DatabaseFailure, path: String) {
        switch failure.kind {
        case .busy: self = .busy(path: path)
        case .cancelled: self = .cancelled
        case .full: self = .noSpace(path: path)
        case .superseded: self = .newerLibrary(path: path)
        case .cannotOpen, .notADatabase, .damaged, .inputOutput:
            self = .inputOutput(path: path, reason: PlainText(failure.reason, limit: 200).value)
        }
    }
}
