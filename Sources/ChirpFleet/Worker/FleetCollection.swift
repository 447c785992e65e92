internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
public import ChirpHTTP
package import ChirpStores

/// A root on a WebDAV server: a worker fetches recordings from it and leaves drafts in it.
public struct FleetCollection: Sendable {
    public let name: String
    private let tree: WebDAVTree
    private let retries: StoreRetries

    /// A worker's disk must hold it, once per lane: more than a day of sound on two channels at 48 kHz and 24 bits.
    private static let largestRecording: Int64 = 32 << 30

    /// A lane waits about a minute with its job in its hand, so that a server that is restarted costs no tries.
    private static let patience = RetryPolicy(base: .seconds(1), cap: .seconds(30), attempts: 8)

    /// - Parameter transport: one that signs in and follows no redirects.
    public init(name: String, root: WebAddress, transport: any HTTPTransport) {
        self.init(name: name, root: root, transport: transport, retries: StoreRetries(policy: Self.patience))
    }

    package init(name: String, root: WebAddress, transport: any HTTPTransport, retries: StoreRetries) {
        self.name = name
        self.retries = retries
        tree = WebDAVTree(root: root, transport: transport)
    }

    /// Looks whether it can be used at all: a worker with a wrong password would spoil job after job.
    ///
    /// - Throws: `rootUnusable`.
    public func check() async throws(FleetError) {
        let address = "\(tree.root)"
        do throws(StoreError) {
            guard try await tree.exists() else {
                throw StoreError.refused(status: 404, detail: "the server has no such collection")
            }
        } catch {
            if error == .cancelled { throw .cancelled }
            throw .rootUnusable("\(name)=\(address)", reason: error.whatHappened, exit: error.exitCode)
        }
    }

    /// Fetches a recording. Blocking.
    ///
    /// - Parameters:
    ///   - bytes: its size as the job says; any other is refused.
    ///   - scratch: the folder that holds it, without a name, as long as it is open.
    func file(_ path: FleetPath, bytes: Int64, scratch: String) throws(AudioError) -> SourceFile {
        let place = try place(path)
        guard bytes <= Self.largestRecording else {
            throw .unsupported(
                name: path.text, reason: "it is larger than the \(ByteCount(Self.largestRecording)) a worker fetches")
        }
        return SourceFile(
            adopting: try asked(path) { [tree] () async throws(StoreError) in
                try await tree.open(place, bytes: bytes, in: scratch)
            })
    }

    /// Leaves a clip in a folder that is there; it appears under its name when it is whole. Blocking.
    func leave(_ clip: Receipt.Clip, at local: String, as name: String, in path: FleetPath) throws(AudioError) {
        let folder = try place(path)
        let payload = Payload(path: local, bytes: clip.bytes, sha256: clip.sha256, name: name)
        try asked(path) { [tree] () async throws(StoreError) in
            try await tree.save(payload, as: name, in: folder)
        }
    }

    private func asked<T: Sendable>(
        _ path: FleetPath, _ call: @escaping @Sendable () async throws(StoreError) -> T
    ) throws(AudioError) -> T {
        do throws(StoreError) {
            return try waiting { [retries] () async throws(StoreError) in try await retries.run(call) }
        } catch {
            let shown = "\(name):\(path.text)"
            switch error {
            case .cancelled: throw .cancelled
            case .missing: throw .missing(path: shown, reason: "the server has nothing there")
            default: throw .inputOutput(path: shown, reason: .words(error.whatHappened))
            }
        }
    }

    /// The parts of a path as an address can have them. Servers may take a backslash for a slash, and stumble over control
    /// characters.
    private func place(_ path: FleetPath) throws(AudioError) -> [String] {
        var place: [String] = []
        for part in path.parts {
            guard let text = String(validating: part, as: UTF8.self),
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "\\" })
            else {
                throw .unsupported(
                    name: path.text,
                    reason:
                        "its path has bytes that are no text, a backslash or control characters, which WebDAV cannot carry"
                )
            }
            place.append(text)
        }
        return place
    }
}
