public import ChirpCore

/// Why the hub cannot serve.
public enum HubError: Explained, Hashable {
    /// Something else, perhaps another hub, listens there.
    case portInUse(bind: String, port: Int)
    case cannotBind(bind: String, port: Int, reason: String)

    public var whatHappened: String {
        switch self {
        case .portInUse(let bind, let port): "port \(port) on \(bind) is in use"
        case .cannotBind(let bind, let port, let reason): "cannot listen on \(bind), port \(port): \(reason)"
        }
    }

    public var whatToDo: String {
        switch self {
        case .portInUse: "Stop what listens there (it may be another hub), or choose another port with --port"
        case .cannotBind: "Choose an address of this machine with --bind, and a port above 1023 with --port"
        }
    }

    public var exitCode: ExitCode { .refused }
}
