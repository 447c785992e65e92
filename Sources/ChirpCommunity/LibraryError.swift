public import ChirpCore
internal import ChirpDatabase
internal import ChirpNetworks
internal import ChirpStores

/// Why the hub cannot do what was asked.
public enum HubError: Explained, Hashable {
    /// Something else, perhaps another hub, listens there.
    case portInUse(bind: String, port: Int)
    case cannotBind(bind: String, port: Int, reason: String)
    case badSetting(name: String, value: String, accepted: String)
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
        case .portInUse(let bind, let port): "port \(port) on \(bind) is in use"
        case .cannotBind(let bind, let port, let reason): "cannot listen on \(bind), port \(port): \(reason)"
        case .badSetting(let name, let value, _): "\(name) cannot be '\(PlainText(value, limit: 200))'"
        case .unusableFolder(let path, let reason):
            "the hub's folder '\(PlainText(path, limit: 200))' cannot be used: \(reason)"
        case .newerLibrary(let path): "'\(PlainText(path, limit: 200))' was written by a newer chirp"
        case .busy(let path): "'\(PlainText(path, limit: 200))' is locked by another process"
        case .noSpace(let path): "no space is left for '\(PlainText(path, limit: 200))'"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var whatToDo: String {
        switch self {
        case .portInUse: "Stop what listens there (it may be another hub), or choose another port with --port"
        case .cannotBind: "Choose an address of this machine with --bind, and a port above 1023 with --port"
        case .badSetting(_, _, let accepted): "Accepted: \(accepted)"
        case .unusableFolder: "Check its permissions, or set XDG_DATA_HOME to a folder that can be written"
        case .newerLibrary: "Install the newer chirp again, or set XDG_DATA_HOME to another folder"
        case .busy: "Try again"
        case .noSpace: "Free some space, or run: chirp sweep"
        case .inputOutput: "Check the disk and the permissions"
        case .cancelled: ""
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .portInUse, .cannotBind: .refused
        case .badSetting: .badConfiguration
        case .unusableFolder: .cannotCreateOutput
        case .newerLibrary: .badConfiguration
        case .busy: .temporary
        case .noSpace: .noRoom
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        }
    }

    /// The same failure as a store tells it.
    var asStoreError: StoreError {
        switch self {
        case .busy: .busy(retryAfter: nil)
        case .cancelled: .cancelled
        case .noSpace(let path): .inputOutput(path: path, reason: "no space is left")
        case .inputOutput(let path, let reason), .unusableFolder(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .portInUse, .cannotBind, .badSetting, .newerLibrary: .refused(status: 500, detail: whatHappened)
        }
    }

    /// The same failure as a network tells it.
    var asNetworkError: NetworkError {
        switch self {
        case .busy: .busy(retryAfter: nil)
        case .cancelled: .cancelled
        case .noSpace(let path): .inputOutput(path: path, reason: "no space is left")
        case .inputOutput(let path, let reason), .unusableFolder(let path, let reason):
            .inputOutput(path: path, reason: reason)
        case .portInUse, .cannotBind, .badSetting, .newerLibrary: .refused(status: 500, detail: whatHappened)
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
