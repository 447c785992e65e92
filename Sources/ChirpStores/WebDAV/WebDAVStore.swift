internal import ChirpCore
public import ChirpHTTP
public import FoundationEssentials

/// A folder on a WebDAV server (RFC 4918): Nextcloud, a NAS, Apache, rclone.
///
/// Bytes go to a temporary name and are moved to their own when they are all there, so that nobody ever sees half a clip. WebDAV
/// itself has no links for others: they begin with an address at which the same folder can be read.
public struct WebDAVStore: Store {
    /// How a WebDAV store is set up.
    public struct Settings: Hashable, Sendable {
        /// The folder's address; made when it does not exist.
        public var folder: WebAddress
        /// What links begin with; nil when others cannot read the folder, then nothing can be shared.
        public var linkBase: String?

        public init(folder: WebAddress, linkBase: String?) {
            self.folder = folder
            self.linkBase = linkBase
        }
    }

    public let properties: StoreProperties
    private let settings: Settings
    let server: WebDAVServer

    /// - Parameters:
    ///   - transport: one that signs in, by user and password or by a token.
    ///   - now: for `Retry-After` as a date.
    public init(_ settings: Settings, transport: any HTTPTransport, now: @escaping @Sendable () -> Date = { Date() }) {
        self.settings = settings
        server = WebDAVServer(folder: settings.folder, transport: transport, now: now)
        properties = StoreProperties(
            name: "webdav", place: settings.folder.text, connections: 2, canShare: settings.linkBase != nil)
    }

    public func quota() async throws(StoreError) -> Quota { try await server.quota() }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        if Task.isCancelled { throw .cancelled }
        return StoredObject.ID("\(RandomName(length: 20)).mp3")
    }

    /// An interrupted upload begins anew: WebDAV has no way to go on.
    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        guard FolderStore.isSafe(id) else { throw .refused(status: 400, detail: "'\(id)' is not an id of this store") }
        if Task.isCancelled { throw .cancelled }
        if let object = try await existing(payload, id) { return object }
        let temporary = Self.temporary(id)
        let verification = Verification(of: payload)
        await checkpoint.record(nil, 0)
        do throws(StoreError) {
            try await server.put(payload, as: temporary, sent: checkpoint.sent)
            try await verification.pass()
            guard try await server.size(temporary) ?? payload.bytes == payload.bytes else {
                throw .unreachable("a part of the clip was lost on the way")
            }
            if try await !server.move(temporary, to: id.text) {
                // Either an earlier move was carried out and its answer lost, or somebody else has the name.
                guard let object = try await existing(payload, id) else {
                    throw .unreachable("the clip disappeared while it was put into place")
                }
                try await server.delete(temporary)
                return object
            }
        } catch {
            // The next attempt writes over it; where there will be none it must not stay.
            if error.isPermanent { try? await server.delete(temporary) }
            if case .inputOutput = error { try? await server.delete(temporary) }
            throw error
        }
        await checkpoint.record(nil, payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard FolderStore.isSafe(id), let bytes = try await server.size(id.text) else { throw .missing(id) }
        try await server.load(id, bytes: bytes, to: path)
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard FolderStore.isSafe(id) else { return }
        try await server.delete(Self.temporary(id))
        try await server.delete(id.text)
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard FolderStore.isSafe(id), try await server.size(id.text) != nil else { throw .missing(id) }
        guard var base = settings.linkBase else { throw .unsupported("give a link that others can open") }
        if !base.hasSuffix("/") { base += "/" }
        return base + id.text
    }

    /// The object that has the name already; nil when there is none. WebDAV knows no checksums, so its bytes are fetched.
    private func existing(_ payload: Payload, _ id: StoredObject.ID) async throws(StoreError) -> StoredObject? {
        guard let bytes = try await server.size(id.text) else { return nil }
        guard bytes == payload.bytes else {
            throw .refused(status: 409, detail: "the id '\(id)' already holds other bytes")
        }
        return try payload.matching(try await server.digest(id, bytes: bytes, beside: payload.path), id: id)
    }

    /// Where the bytes are until they are all there. One per id, so that nothing piles up; without a dot in front, which many
    /// servers forbid.
    static func temporary(_ id: StoredObject.ID) -> String { "chirp-tmp-\(id)" }
}
