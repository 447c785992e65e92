public import ChirpCore
internal import ChirpNetworks
internal import ChirpStores
internal import GRDB

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
        case .newerLibrary(let path): "'\(PlainText(path, limit: 200))' was written by a newer Chirp"
        case .busy(let path): "'\(PlainText(path, limit: 200))' is locked by another process"
        case .noSpace(let path): "no space is left for '\(PlainText(path, limit: 200))'"
        case .inputOutput(let path, let reason): "reading or writing '\(PlainText(path, limit: 200))' failed: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .portInUse: .either(.advice("Stop what listens there (it may be another hub)"), .set(.hubPort))
        case .cannotBind: .set(.hubAddress)
        case .badSetting(_, _, let accepted): .advice("Accepted: \(accepted)")
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
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HubError: self = error
        case is CancellationError: self = .cancelled
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
            case .SQLITE_FULL: self = .noSpace(path: path)
            case .SQLITE_INTERRUPT, .SQLITE_ABORT: self = .cancelled
            default:
                let said = PlainText(error.message ?? "SQLite result \(error.resultCode.rawValue)", limit: 200).value
                self = .inputOutput(path: path, reason: said)
            }
        default: self = .inputOutput(path: path, reason: PlainText("\(error)", limit: 200).value)
        }
    }
}
