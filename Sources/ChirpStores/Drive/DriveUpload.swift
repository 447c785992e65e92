internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// One resumable upload (Drive guide, "Perform a resumable upload"): a session, one request or several, and nothing believed but
/// what the service confirms.
///
/// A temporary failure ends it; the next attempt, in this process or another, asks the session what it has and goes on there.
/// The session's address is a bearer secret: it goes to the checkpoint and nowhere else.
struct DriveUpload: Sendable {
    /// What the service says about an upload.
    private enum Answer {
        /// So many bytes from the beginning are safe.
        case kept(Int64)
        case complete(DriveFile)
        /// The session is over and what it had is lost.
        case gone
        /// The id holds a file already: an earlier attempt was complete.
        case taken
    }

    let client: DriveClient
    let payload: Payload
    let id: StoredObject.ID
    let checkpoint: UploadCheckpoint
    /// The last chunk waits for it, so that nothing else than what was promised becomes a file.
    let verification: Verification

    func run(into folder: DriveFolder) async throws(StoreError) -> StoredObject {
        var session = checkpoint.session.flatMap { self.session($0) }
        var answer = Answer.gone
        if let session {
            answer = try await ask(session)
            if case .kept(let confirmed) = answer { await checkpoint.record(session.text, confirmed) }
        }
        var starts = 0
        var idle = 0
        while true {
            switch answer {
            case .complete(let file): return try await finish(file)
            case .taken: return try await existing()
            case .gone:
                guard starts < 2 else { throw .unreachable("Google Drive loses the upload session again and again") }
                starts += 1
                session = try await begin(in: folder)
                answer = session == nil ? .taken : .kept(0)
                if let session { await checkpoint.record(session.text, 0) }
            case .kept(let confirmed):
                guard let session, confirmed <= payload.bytes else {
                    answer = .gone
                    continue
                }
                if Task.isCancelled { throw .cancelled }
                answer = try await send(session, from: confirmed, mayRestart: starts < 2)
                guard case .kept(let now) = answer else { continue }
                await checkpoint.record(session.text, now)
                idle = now > confirmed ? 0 : idle + 1
                guard idle < 3 else { throw .unreachable("Google Drive keeps nothing of what it is sent") }
            }
        }
    }

    /// Opens a session; nil when the id holds a file already.
    private func begin(in folder: DriveFolder) async throws(StoreError) -> WebAddress? {
        var properties = ["chirp": "clip"]
        if let expires = payload.expires { properties["expires"] = String(expires.wholeSeconds) }
        let metadata = DriveMetadata(
            id: id.text, name: payload.title.isEmpty ? payload.name : "\(payload.title).mp3",
            mimeType: payload.contentType, parents: [try await folder.publicID()], appProperties: properties)
        let address = client.settings.upload.appending("files")
            .adding(["uploadType": "resumable", "fields": "id,size,md5Checksum,sha256Checksum"])
        var request = client.post(address, metadata)
        request.headers["X-Upload-Content-Type"] = payload.contentType
        request.headers["X-Upload-Content-Length"] = String(payload.bytes)
        let response = try await client.send(request)
        switch response.status {
        case 200...299:
            guard let session = response.headers["Location"].flatMap({ self.session($0) }) else {
                throw .unreachable("something else answered in place of Google Drive")
            }
            return session
        case 409: return nil
        case 404:
            folder.forget()
            throw .unreachable("the folder for clips has just been removed")
        default: throw client.refusal(response, needed: ByteCount(payload.bytes))
        }
    }

    /// A session's address, unless it leads away from the service: the bytes and the access token go there.
    private func session(_ text: String) -> WebAddress? {
        let base = client.settings.upload
        guard let address = base.resolving(text) else { return nil }
        let isGoogle = address.isSecure && address.host.hasSuffix(".googleapis.com") && base.isSecure
        return address.origin == base.origin || isGoogle ? address : nil
    }

    /// What the session has: an empty request names the total only.
    private func ask(_ session: WebAddress) async throws(StoreError) -> Answer {
        let range = "bytes */\(payload.bytes)"
        let response = try await client.send(HTTPRequest(.put, session, headers: ["Content-Range": range]))
        return try answer(response, mayRestart: true)
    }

    private func send(
        _ session: WebAddress, from start: Int64, mayRestart: Bool
    ) async throws(StoreError) -> Answer {
        let end = start + min(client.settings.chunkBytes ?? .max, payload.bytes - start)
        if end == payload.bytes {
            do throws(StoreError) { try await verification.pass() } catch {
                // What the session has may be of another file than the one that the next attempt finds.
                await checkpoint.record(nil, 0)
                throw error
            }
        }
        if start == payload.bytes && start > 0 { return try await ask(session) }
        // Not repeatable as it is: after a failure the session has to be asked what it kept.
        var request = HTTPRequest(.put, session, isRepeatable: false)
        if end > start {
            request.headers["Content-Type"] = payload.contentType
            request.headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(payload.bytes)"
            request.body = .file(path: payload.path, offset: start, count: end - start)
            let sent = checkpoint.sent
            request.progress = { count, _ in sent(start + count) }
        }
        return try answer(try await client.send(request), mayRestart: mayRestart)
    }

    private func answer(_ response: HTTPResponse, mayRestart: Bool) throws(StoreError) -> Answer {
        switch response.status {
        case 200, 201: return .complete(try client.decode(DriveFile.self, response))
        case 308: return .kept(ConfirmedRange.bytes(response.headers["Range"]))
        case 404, 410: return .gone
        case 409: return .taken
        default: break
        }
        let refusal = client.refusal(response, needed: ByteCount(payload.bytes))
        // "For other 4xx errors restart the upload": once, since a fault of ours would come again.
        if case .refused = refusal, mayRestart { return .gone }
        throw refusal
    }

    private func finish(_ file: DriveFile) async throws(StoreError) -> StoredObject {
        guard try await holdsPayload(file) else {
            await checkpoint.record(nil, 0)
            _ = try await client.send(HTTPRequest(.delete, client.settings.api.appending("files", id.text)))
            throw .refused(status: 200, detail: "what arrived is not what was sent; it has been removed")
        }
        await checkpoint.record(nil, payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }

    /// Whether the service has the promised bytes: by their SHA-256, or by MD5 where it tells no other.
    private func holdsPayload(_ file: DriveFile) async throws(StoreError) -> Bool {
        try await verification.pass()
        guard file.size == String(payload.bytes) else { return false }
        if let sha256 = file.sha256Checksum { return sha256 == payload.sha256 }
        return file.md5Checksum == (try await verification.md5())
    }

    /// The file that has the id already: the same bytes are success.
    private func existing() async throws(StoreError) -> StoredObject {
        let file: DriveFile
        do throws(StoreError) { file = try await client.file(id) } catch {
            guard case .missing = error else { throw error }
            throw .refused(status: 409, detail: "the id '\(id)' is used up")
        }
        guard try await holdsPayload(file) else {
            throw .refused(status: 409, detail: "the id '\(id)' already holds other bytes")
        }
        await checkpoint.record(nil, payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }
}

/// The `Range` of a 308 answer: what a resumable upload has safely.
package enum ConfirmedRange {
    /// How many bytes from the beginning; 0 without the field ("no Range header means nothing was kept") and for anything that is
    /// not `bytes=0-N`.
    package static func bytes(_ field: String?) -> Int64 {
        guard let field, field.hasPrefix("bytes=0-"), let last = Int64(field.dropFirst(8)), last >= 0, last < .max
        else { return 0 }
        return last + 1
    }
}
