import ChirpStores
import ChirpTestKit
import Foundation

/// A folder that lists, and whose operations fail as a script says.
struct StubbornShelf: ListingStore {
    private let folder: FolderStore
    private let scripted: ScriptedStore

    init(_ folder: FolderStore, _ script: [ScriptedStore.Point: [StoreError]]) {
        self.folder = folder
        scripted = ScriptedStore(folder, script)
    }

    var properties: StoreProperties { scripted.properties }

    func quota() async throws(StoreError) -> Quota { try await scripted.quota() }

    func reserve() async throws(StoreError) -> StoredObject.ID { try await scripted.reserve() }

    func save(
        _ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint
    ) async throws(StoreError) -> StoredObject {
        try await scripted.save(payload, id: id, checkpoint: checkpoint)
    }

    func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try await scripted.load(id, to: path)
    }

    func remove(_ id: StoredObject.ID) async throws(StoreError) { try await scripted.remove(id) }

    func share(_ id: StoredObject.ID) async throws(StoreError) -> String { try await scripted.share(id) }

    func ids(beginningWith prefix: String) async throws(StoreError) -> [StoredObject.ID] {
        try await folder.ids(beginningWith: prefix)
    }
}
