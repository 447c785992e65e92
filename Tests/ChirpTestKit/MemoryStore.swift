public import ChirpCore
internal import ChirpFiles
public import ChirpStores
internal import Synchronization

/// The reference store: objects in memory, gone with the process.
public final class MemoryStore: Store {
    /// What is kept of one object.
    public struct Object: Hashable, Sendable {
        public var payload: Payload
        public var content: [UInt8]
        public var isShared: Bool
    }

    /// What was asked of the store, in order, whether it succeeded or not.
    public enum Operation: Hashable, Sendable {
        case quota
        case reserve
        case save(StoredObject.ID)
        case load(StoredObject.ID)
        case remove(StoredObject.ID)
        case share(StoredObject.ID)
    }

    private struct State {
        var objects: [StoredObject.ID: Object] = [:]
        var operations: [Operation] = []
        var limit: ByteCount?
    }

    public let properties: StoreProperties
    private let linkBase: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: bytes in all; nil for a store without a limit.
    ///   - linkBase: what links begin with.
    public init(limit: ByteCount? = nil, name: String = "memory", linkBase: String = "https://clips.example/") {
        properties = StoreProperties(name: name, connections: 4, canShare: true)
        self.linkBase = linkBase
        state = Mutex(State(limit: limit))
    }

    public var objects: [StoredObject.ID: Object] { state.withLock { $0.objects } }
    public var operations: [Operation] { state.withLock { $0.operations } }

    /// Changes the limit, as an account's owner or another program might at any time.
    public func setLimit(_ limit: ByteCount?) { state.withLock { $0.limit = limit } }

    public func quota() async throws(StoreError) -> Quota {
        try begin(.quota)
        return state.withLock { state in
            let used = ByteCount(state.objects.values.reduce(0) { $0 + $1.payload.bytes })
            guard let limit = state.limit else { return Quota(used: used, unlimited: true) }
            return Quota(limit: limit, used: used, free: max(limit - used, ByteCount(0)))
        }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try begin(.reserve)
        return StoredObject.ID("\(RandomName(length: 20))")
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        try begin(.save(id))
        if let existing = state.withLock({ $0.objects[id] })?.payload {
            return try payload.matching(FileDigest(bytes: existing.bytes, sha256: existing.sha256), id: id)
        }
        var content: [UInt8] = []
        try payload.check(try payload.digest { content.append(contentsOf: $0) })
        await checkpoint.record("memory-\(id)", 0)
        try state.withLock { [content] (state) throws(StoreError) in
            let used = state.objects.values.reduce(0) { $0 + $1.payload.bytes }
            if let limit = state.limit, used + payload.bytes > limit.bytes {
                throw .full(needed: ByteCount(payload.bytes), free: ByteCount(max(limit.bytes - used, 0)))
            }
            state.objects[id] = Object(payload: payload, content: content, isShared: false)
        }
        await checkpoint.record("memory-\(id)", payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try begin(.load(id))
        guard let object = state.withLock({ $0.objects[id] }) else { throw .missing(id) }
        do throws(FileError) {
            let file = try AtomicFile.create(at: path)
            try file.write(object.content)
            try file.commit(replacing: false)
        } catch {
            throw error.asStoreError(needed: ByteCount(object.payload.bytes))
        }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        try begin(.remove(id))
        state.withLock { $0.objects[id] = nil }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        try begin(.share(id))
        try state.withLock { (state) throws(StoreError) in
            guard state.objects[id] != nil else { throw .missing(id) }
            state.objects[id]?.isShared = true
        }
        return linkBase + id.text
    }

    private func begin(_ operation: Operation) throws(StoreError) {
        state.withLock { $0.operations.append(operation) }
        if Task.isCancelled { throw .cancelled }
    }
}
