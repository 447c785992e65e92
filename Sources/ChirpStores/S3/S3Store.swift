internal import ChirpCore
public import ChirpHTTP
public import FoundationEssentials

/// A folder of a bucket of an S3 service: Amazon's, or one of the many that speak its protocol.
///
/// A small clip is one request, a larger one an upload in parts that goes on after a crash. Every byte is signed and sent with its
/// checksum. An object appears whole, under a name that nobody else has, and is looked at afterwards.
public struct S3Store: Store {
    public let properties: StoreProperties
    let bucket: S3Bucket
    private var settings: Settings { bucket.settings }

    /// - Parameters:
    ///   - transport: one that knows nothing of the keys.
    ///   - now: for signatures, and for `Retry-After` as a date.
    public init(
        _ settings: Settings, keys: S3Keys, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let signature = AWSSignature(keys: keys, region: settings.region)
        bucket = S3Bucket(
            settings: settings, transport: S3Transport(transport, signature: signature, now: now), now: now)
        properties = StoreProperties(name: "s3", place: settings.place, connections: 3, canShare: true)
    }

    /// S3 tells no room, so it is that of the limit, if there is one; otherwise unknown. The bucket is asked in any case, so that what
    /// is wrong with it is said before anything is sent.
    public func quota() async throws(StoreError) -> Quota {
        guard let limit = settings.limit else {
            try await bucket.list(limit: 1)
            return Quota()
        }
        let used = try await bucket.list()
        return Quota(limit: limit, used: used, free: max(limit - used, ByteCount(0)))
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        if Task.isCancelled { throw .cancelled }
        return StoredObject.ID("\(RandomName(length: 20)).mp3")
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        guard FolderStore.isSafe(id) else { throw .refused(status: 400, detail: "'\(id)' is not an id of this store") }
        if Task.isCancelled { throw .cancelled }
        let partBytes = settings.partBytes
        let plan = try await offPool { () throws(StoreError) in try S3Parts(of: payload, partBytes: partBytes) }
        if try await bucket.object(id) != nil {
            // The end of an attempt may have been carried out and its answer lost.
            if checkpoint.session != nil { try await bucket.abandon(id) }
            return try await existing(payload, id, checkpoint)
        }
        if settings.limit != nil { try Admission(needed: ByteCount(payload.bytes), quota: await quota()).check() }
        if plan.parts.count == 1 {
            await checkpoint.record(nil, 0)
            _ = try await bucket.put(payload, plan.parts[0], as: id, sent: checkpoint.sent)
        } else {
            try await upload(payload, plan, id, checkpoint)
        }
        return try await existing(payload, id, checkpoint)
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard FolderStore.isSafe(id), let object = try await bucket.object(id) else { throw .missing(id) }
        try await bucket.load(id, object, to: path)
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard FolderStore.isSafe(id) else { return }
        try await bucket.abandon(id)
        try await bucket.delete(id)
    }

    /// The address below the public one, or the object's own, which others can read when the bucket lets them.
    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard FolderStore.isSafe(id), try await bucket.object(id) != nil else { throw .missing(id) }
        guard var base = settings.linkBase else { return bucket.address(id).text }
        if !base.hasSuffix("/") { base += "/" }
        return base + id.text
    }

    private func upload(
        _ payload: Payload, _ plan: S3Parts, _ id: StoredObject.ID, _ checkpoint: UploadCheckpoint
    ) async throws(StoreError) {
        let upload = S3Upload(bucket: bucket, payload: payload, plan: plan, id: id, checkpoint: checkpoint)
        do throws(StoreError) {
            if try await !upload.run() { try await bucket.abandon(id) }
        } catch {
            // Where there will be no other attempt the parts must not stay, since they cost room.
            if error.isPermanent {
                await checkpoint.record(nil, 0)
                try? await bucket.abandon(id)
            }
            throw error
        }
    }

    /// The object under the id, if it is the payload: as it was sent, or as an earlier attempt has sent it.
    private func existing(
        _ payload: Payload, _ id: StoredObject.ID, _ checkpoint: UploadCheckpoint
    ) async throws(StoreError) -> StoredObject {
        guard let object = try await bucket.object(id) else {
            throw .unreachable("the clip disappeared while it was put into place")
        }
        guard object == S3Bucket.Object(bytes: payload.bytes, sha256: payload.sha256) else {
            throw .refused(status: 409, detail: "the id '\(id)' already holds other bytes")
        }
        await checkpoint.record(nil, payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }
}
