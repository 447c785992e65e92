internal import ChirpHTTP

/// What a request asks of Drive, known from its head alone.
public enum DriveCall: String, Hashable, Sendable, CaseIterable {
    case about, generateIDs, list, create, get, patch, delete
    case permit, unpermit, permissions
    /// Opens an upload session.
    case start
    /// Brings bytes into one.
    case chunk
    /// Asks a session what it has.
    case status
    case cancel
    /// Without an account, as a browser does.
    case web
    case other

    /// The calls that belong to sending content.
    public static let uploads: Set<DriveCall> = [.start, .chunk, .status, .cancel]

    init(method: String, path: String, headers: HTTPHeaders) {
        let parts = path.split(separator: "/").map(String.init)
        switch (method, parts.first, parts.count) {
        case ("POST", "upload", _): self = .start
        case ("DELETE", "upload", _): self = .cancel
        case ("PUT", "upload", _): self = headers["Content-Range"]?.hasPrefix("bytes */") == true ? .status : .chunk
        case ("GET", "drive", 3) where parts[2] == "about": self = .about
        case ("GET", "drive", 4) where parts[3] == "generateIds": self = .generateIDs
        case ("GET", "drive", 3): self = .list
        case ("POST", "drive", 3): self = .create
        case ("GET", "drive", 4): self = .get
        case ("PATCH", "drive", 4): self = .patch
        case ("DELETE", "drive", 4): self = .delete
        case ("GET", "drive", 5): self = .permissions
        case ("POST", "drive", 5): self = .permit
        case ("DELETE", "drive", 6): self = .unpermit
        case ("GET", "uc", _), ("GET", "download", _), ("GET", "file", _): self = .web
        default: self = .other
        }
    }
}
