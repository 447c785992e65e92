internal import ChirpCore
public import ChirpHTTP
public import FoundationEssentials

/// Google Drive (API v3) with the scope `drive.file`: it sees nothing but what Chirp itself has put there.
///
/// Clips lie in one folder, found by a mark that only this application sees, made when there is none, and readable by anyone
/// with the link, which its clips inherit (CH-5, CH-6). Ids are given out by the service before the upload, so that a repeated
/// upload is the same file.
public struct DriveStore: Store {
    /// Where Drive is and how it is used.
    public struct Settings: Hashable, Sendable {
        /// Metadata and downloads.
        public var api: WebAddress
        public var upload: WebAddress
        /// What links begin with when the service gives none.
        public var web: WebAddress
        /// The most bytes per request of an upload: a multiple of 262,144, which the service demands. Nil for all that is left in
        /// one, which its guide recommends: a session keeps what came before a connection broke, whatever the request's size, and
        /// every further request costs a pause.
        public var chunkBytes: Int64?

        public init(api: WebAddress, upload: WebAddress, web: WebAddress, chunkBytes: Int64? = nil) {
            precondition(chunkBytes.map { $0 > 0 && $0 % Self.unit == 0 } ?? true)
            self.api = api
            self.upload = upload
            self.web = web
            self.chunkBytes = chunkBytes
        }

        /// "Create content in multiples of 256 KB" (Drive guide, Upload file data).
        static let unit: Int64 = 262_144
    }

    public let properties = StoreProperties(name: "drive", connections: 3, canShare: true)
    let client: DriveClient
    let folder: DriveFolder

    /// - Parameters:
    ///   - transport: one that adds the access token.
    ///   - now: for `Retry-After` as a date.
    public init(_ settings: Settings, transport: any HTTPTransport, now: @escaping @Sendable () -> Date = { Date() }) {
        client = DriveClient(settings: settings, transport: transport, now: now)
        folder = DriveFolder(client)
    }

    /// The account's room, which mail and photos share. No limit in the answer means unlimited storage, no answer about
    /// storage at all that it is unknown.
    public func quota() async throws(StoreError) -> Quota {
        let address = client.settings.api.appending("about").adding(["fields": "storageQuota(limit,usage)"])
        guard let room = try await client.json(DriveAbout.self, HTTPRequest(.get, address)).storageQuota else {
            return Quota()
        }
        let used = room.usage.flatMap { ByteCount(decimal: $0) }
        guard let limit = room.limit else { return Quota(used: used, unlimited: true) }
        guard let limit = ByteCount(decimal: limit), let used else { return Quota(used: used) }
        return Quota(limit: limit, used: used, free: max(limit - used, ByteCount(0)))
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID { StoredObject.ID(try await client.newID()) }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        guard Self.isSafe(id) else { throw .refused(status: 400, detail: "'\(id)' is not an id of this store") }
        if Task.isCancelled { throw .cancelled }
        let verification = Verification(of: payload)
        let upload = DriveUpload(
            client: client, payload: payload, id: id, checkpoint: checkpoint, verification: verification)
        return try await upload.run(into: folder)
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard Self.isSafe(id) else { throw .missing(id) }
        let file = try await client.file(id)
        guard let bytes = file.size.flatMap({ Int64($0) }) else { throw .missing(id) }
        let address = client.settings.api.appending("files", id.text).adding(["alt": "media"])
        try await client.transport.load(
            HTTPRequest(.get, address), bytes: bytes, to: path, store: "drive",
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw client.refusal(response, id: id) }
            },
            verify: { (path) throws(StoreError) in
                guard try file.md5Checksum == MD5Digest.ofFile(at: path) else {
                    throw .unreachable("the clip arrived damaged")
                }
            })
    }

    /// For good, without the trash; whatever was shared is no longer.
    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard Self.isSafe(id) else { return }
        let response = try await client.send(HTTPRequest(.delete, client.settings.api.appending("files", id.text)))
        guard response.isSuccess || response.status == 404 else { throw client.refusal(response, id: id) }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard Self.isSafe(id) else { throw .missing(id) }
        let file = try await client.file(id)
        _ = try await folder.publicID()
        if let link = file.webViewLink.flatMap({ WebAddress($0) }) { return link.text }
        return client.settings.web.appending("file", "d", id.text, "view").adding(["usp": "drivesdk"]).text
    }

    /// Whether an id can be one of a file. Ids come back from journals and command lines; `root` is a folder with everything.
    static func isSafe(_ id: StoredObject.ID) -> Bool {
        let text = id.text.utf8
        return (10...200).contains(text.count)
            && text.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true  // 0-9 A-Z a-z - _
                default: false
                }
            }
    }
}
