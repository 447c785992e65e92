/// A store with at most so many calls under way at once, ``StoreProperties/connections`` by default; the others wait in order.
public struct NarrowStore: Store {
    private let base: any Store
    private let turnstile: Turnstile

    /// - Parameter width: calls at once, 1 or more; nil: as many as the store calls sensible.
    public init(_ base: any Store, width: Int? = nil) {
        self.base = base
        turnstile = Turnstile(width: width ?? max(base.properties.connections, 1))
    }

    public var properties: StoreProperties { base.properties }

    public func quota() async throws(StoreError) -> Quota {
        try await narrowed { () async throws(StoreError) in try await base.quota() }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try await narrowed { () async throws(StoreError) in try await base.reserve() }
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        try await narrowed { () async throws(StoreError) in
            try await base.save(payload, id: id, checkpoint: checkpoint)
        }
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try await narrowed { () async throws(StoreError) in try await base.load(id, to: path) }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        try await narrowed { () async throws(StoreError) in try await base.remove(id) }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        try await narrowed { () async throws(StoreError) in try await base.share(id) }
    }

    private func narrowed<T>(_ call: () async throws(StoreError) -> T) async throws(StoreError) -> T {
        guard await turnstile.enter() else { throw .cancelled }
        defer { turnstile.leave() }
        return try await call()
    }
}
