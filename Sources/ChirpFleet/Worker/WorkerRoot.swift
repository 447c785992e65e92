internal import ChirpAudio
internal import ChirpFlows
public import ChirpHTTP

/// A root as a worker reaches it.
public enum WorkerRoot: Sendable {
    /// On this machine, or mounted.
    case folder(FleetRoot)
    /// On a WebDAV server.
    case collection(FleetCollection)

    /// From `NAME=/path` or `NAME=https://...`; a place alone is called `shared`.
    ///
    /// - Parameter transport: makes one that signs in to the server of an address.
    /// - Throws: `badRoot`, and what `transport` throws.
    public init(_ text: String, transport: (WebAddress) throws -> any HTTPTransport) throws {
        let text = try RootText(text)
        guard text.isAddress else {
            self = .folder(try FleetRoot(text))
            return
        }
        guard let address = WebAddress(text.place), address.query == nil else {
            throw FleetError.badRoot(text.shown, reason: "it is no web address without user, password and query")
        }
        self = .collection(FleetCollection(name: text.name, root: address, transport: try transport(address)))
    }

    public var name: String {
        switch self {
        case .folder(let root): root.name
        case .collection(let root): root.name
        }
    }

    /// Opens a recording. Blocking.
    ///
    /// - Parameters:
    ///   - bytes: its size as the job says.
    ///   - scratch: a folder with room for it, where it has to be fetched.
    func recording(_ path: FleetPath, bytes: Int64, scratch: String) throws(AudioError) -> SourceFile {
        switch self {
        case .folder(let root): try root.file(path)
        case .collection(let root): try root.file(path, bytes: bytes, scratch: scratch)
        }
    }
}
