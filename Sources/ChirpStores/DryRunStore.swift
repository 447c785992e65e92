/// A store that can be asked but changes nothing: quota and loading are real, everything else only looks like it.
public struct DryRunStore: Store {
    private let base: any Store

    public init(_ base: any Store) { self.base = base }

    public var properties: StoreProperties { base.properties }

    public func quota() async throws(StoreError) -> Quota { try await base.quota() }

    /// An id that the store has never given out; real stores reserve on their side.
    public func reserve() async throws(StoreError) -> StoredObject.ID { StoredObject.ID("dry-run") }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        StoredObject(id: id, bytes: payload.bytes)
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try await base.load(id, to: path)
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {}

    /// An address under the reserved top-level domain `.invalid` (RFC 2606), of about the length of a real one.
    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String { "https://dry-run.invalid/\(id)" }
}
