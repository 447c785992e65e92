internal import ChirpCore
public import ChirpHTTP

/// A hub on another machine as a store, of the account that is signed in there.
///
/// Uploads are those of tus 1.0, so that they go on from the byte that the hub has safely; the hub then checks the clip and keeps
/// it byte for byte. The id is made here, which makes one clip of an upload whose beginning or end lost its answer.
public struct RemoteHubStore: Store {
    public let properties: StoreProperties
    private let client: RemoteHubClient
    private let chunkBytes: Int64?

    /// - Parameters:
    ///   - hub: the root of the hub. It is also the store's place.
    ///   - transport: one that adds the access token.
    ///   - chunkBytes: the most bytes per request of an upload; nil for all that is left in one.
    public init(hub: WebAddress, transport: any HTTPTransport, chunkBytes: Int64? = nil, pause: Sleeper = .real) {
        precondition(chunkBytes.map { $0 > 0 } ?? true)
        let root = hub.replacing(path: "/")
        client = RemoteHubClient(hub: root, transport: transport, pause: pause)
        self.chunkBytes = chunkBytes
        properties = StoreProperties(name: "hub", place: root.origin, connections: 2, canShare: true)
    }

    public func quota() async throws(StoreError) -> Quota {
        let response = try await client.send(HTTPRequest(.get, client.sent))
        // A hub that does not tell; the upload will.
        if response.status == 404 || response.status == 405 { return Quota() }
        guard response.isSuccess else { throw client.refusal(response) }
        return try client.decode(RemoteHubRoom.self, response).asQuota
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        if Task.isCancelled { throw .cancelled }
        return HubClipID.make()
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        guard HubClipID.isOne(id) else { throw .refused(status: 400, detail: "'\(id)' is not an id of this store") }
        if Task.isCancelled { throw .cancelled }
        return try await RemoteHubUpload(
            client: client, payload: payload, id: id, checkpoint: checkpoint,
            verification: Verification(of: payload), chunkBytes: chunkBytes
        ).run()
    }

    /// By the link, which only who has it can open.
    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard HubClipID.isOne(id) else { throw .missing(id) }
        // Where the hub says that the sound is, on the origin that the sign-in is for.
        let named = try await client.share(id).audio.flatMap { client.hub.resolving($0) }
        let audio = named.map { client.hub.replacing(path: $0.path) } ?? client.hub.appending("media", "\(id).mp3")
        let head = try await client.send(HTTPRequest(.head, audio))
        guard head.isSuccess else { throw client.refusal(head, id: id) }
        guard let bytes = head.headers["Content-Length"].flatMap({ ByteCount(decimal: $0) })?.bytes else {
            throw .refused(status: head.status, detail: "\(client.hub.host) does not tell how large the clip is")
        }
        try await client.transport.load(
            HTTPRequest(.get, audio), bytes: bytes, to: path, store: "hub",
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw client.refusal(response, id: id) }
            })
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard HubClipID.isOne(id) else { return }
        let response = try await client.send(HTTPRequest(.delete, client.clip(id)))
        guard response.isSuccess || response.status == 404 || response.status == 410 else {
            throw client.refusal(response, id: id)
        }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard HubClipID.isOne(id) else { throw .missing(id) }
        guard let page = WebAddress(try await client.share(id).page) else {
            throw .refused(status: 200, detail: "\(client.hub.host) gave a link that is no web address")
        }
        return page.text
    }
}
