public import ChirpStores
internal import Synchronization

/// A store in front of another, whose operations fail as a script says; each failure is used once.
public final class ScriptedStore: Store {
    public enum Point: Hashable, Sendable {
        case quota, reserve, beforeSave, afterSave, load, remove, share
    }

    private let base: any Store
    private let script: Mutex<[Point: [StoreError]]>

    public init(_ base: any Store, _ script: [Point: [StoreError]]) {
        self.base = base
        self.script = Mutex(script)
    }

    public var properties: StoreProperties { base.properties }

    private func pass(_ point: Point) throws(StoreError) {
        let failure = script.withLock { script -> StoreError? in
            guard let next = script[point]?.first else { return nil }
            script[point]?.removeFirst()
            return next
        }
        if let failure { throw failure }
    }

    public func quota() async throws(StoreError) -> Quota {
        try pass(.quota)
        return try await base.quota()
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try pass(.reserve)
        return try await base.reserve()
    }

    public func save(
        _ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint
    ) async throws(StoreError) -> StoredObject {
        try pass(.beforeSave)
        let object = try await base.save(payload, id: id, checkpoint: checkpoint)
        try pass(.afterSave)
        return object
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try pass(.load)
        try await base.load(id, to: path)
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        try pass(.remove)
        try await base.remove(id)
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        try pass(.share)
        return try await base.share(id)
    }
}
