internal import ChirpCore
internal import ChirpHTTP
internal import Synchronization

/// The one folder that holds all clips. It is looked up once per run; two tasks that need it at once look once.
///
/// Names are not unique on Drive, so the folder is known by a property that only this application sees.
final class DriveFolder: Sendable {
    private struct State {
        var known: DriveFile?
        var isPublic = false
        /// Kept for a repetition after a lost answer, so that it makes the same folder.
        var reserved: String?
    }

    private static let query =
        "mimeType = 'application/vnd.google-apps.folder' and trashed = false and appProperties has "
        + "{ key='chirp' and value='root' }"

    private let client: DriveClient
    private let door = AsyncSemaphore(width: 1)
    private let state = Mutex(State())

    init(_ client: DriveClient) { self.client = client }

    /// Its id; found or made, and readable by anyone with the link.
    func publicID() async throws(StoreError) -> String {
        guard await door.enter() else { throw .cancelled }
        defer { door.leave() }
        let folder = try await find()
        if !state.withLock({ $0.isPublic }) {
            if !folder.isPublic { try await publish(folder.id) }
            state.withLock { $0.isPublic = true }
        }
        return folder.id
    }

    /// To be called when the service says that it is gone.
    func forget() { state.withLock { $0 = State() } }

    private func find() async throws(StoreError) -> DriveFile {
        if let known = state.withLock({ $0.known }) { return known }
        var folder = try await client.list(Self.query).first
        if folder == nil {
            let made = try await make()
            // Another machine may have made one at the same time: the older one stays, by which both decide alike.
            folder = try await client.list(Self.query).first
            if let folder, folder.id != made.id {
                _ = try await client.send(HTTPRequest(.delete, client.settings.api.appending("files", made.id)))
            }
            folder = folder ?? made
        }
        guard let folder else { throw .unreachable("the folder cannot be found") }
        state.withLock { $0.known = folder }
        return folder
    }

    private func make() async throws(StoreError) -> DriveFile {
        let id: String
        if let reserved = state.withLock({ $0.reserved }) {
            id = reserved
        } else {
            id = try await client.newID()
            state.withLock { $0.reserved = id }
        }
        let metadata = DriveMetadata(
            id: id, name: "Chirp", mimeType: "application/vnd.google-apps.folder", appProperties: ["chirp": "root"])
        let address = client.settings.api.appending("files").adding(["fields": "id,permissions(type,role)"])
        let response = try await client.send(client.post(address, metadata))
        // 409 fileIdInUse: an earlier attempt did it, and its answer was lost.
        if response.status == 409 { return try await client.file(StoredObject.ID(id)) }
        guard response.isSuccess else { throw client.refusal(response) }
        return try client.decode(DriveFile.self, response)
    }

    private func publish(_ id: String) async throws(StoreError) {
        let address = client.settings.api.appending("files", id, "permissions").adding(["fields": "id"])
        let response = try await client.send(client.post(address, ["type": "anyone", "role": "reader"]))
        guard !response.isSuccess else { return }
        let refusal = client.refusal(response, id: StoredObject.ID(id))
        if case .missing = refusal { forget() }
        guard case .forbidden(let detail) = refusal else { throw refusal }
        throw .forbidden("your organization does not allow links for anyone: \(detail)")
    }
}
