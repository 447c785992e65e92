internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// One upload to a hub by tus 1.0 (core, creation, termination), and the wait for the hub's check of it.
///
/// A temporary failure ends it; the next attempt, in this process or another, asks the hub what it has and goes on there.
struct RemoteHubUpload: Sendable {
    /// What the hub has of an upload.
    private enum Answer {
        /// So many bytes from the beginning are safe.
        case kept(Int64)
        /// It knows nothing of the upload any more.
        case gone
    }

    let client: RemoteHubClient
    let payload: Payload
    let id: StoredObject.ID
    let checkpoint: UploadCheckpoint
    /// The last bytes wait for it, so that nothing else than what was promised becomes a clip.
    let verification: Verification
    let chunkBytes: Int64?

    /// The last bytes are confirmed with the upload's address, so that a process that dies before its journal knows that all is
    /// well sends nothing again.
    func run() async throws(StoreError) -> StoredObject {
        var upload = checkpoint.session.flatMap { client.upload($0) }
        var answer = Answer.gone
        if let upload { answer = try await resume(upload) }
        var starts = 0
        var idle = 0
        while true {
            guard case .kept(let confirmed) = answer, let known = upload else {
                guard starts < 3 else { throw .unreachable("\(client.hub.host) loses the upload again and again") }
                starts += 1
                guard let begun = try await begin() else {
                    guard let object = try await existing() else { throw taken }
                    return object
                }
                upload = begun
                await checkpoint.record(begun.text, 0)
                // The one of an earlier attempt, perhaps, whose answer was lost.
                answer = try await resume(begun)
                continue
            }
            guard confirmed < payload.bytes else {
                if let object = try await outcome(known) { return object }
                answer = .gone
                continue
            }
            if Task.isCancelled { throw .cancelled }
            answer = try await send(known, from: confirmed)
            guard case .kept(let now) = answer else { continue }
            await checkpoint.record(known.text, now)
            idle = now > confirmed ? 0 : idle + 1
            guard idle < 3 else { throw .unreachable("\(client.hub.host) keeps nothing of what it is sent") }
        }
    }

    // MARK: sending

    /// Begins an upload; nil when the id is taken. Hubs have one for an id: the same one for the same checksum, or a new one in
    /// place of one whose beginning lost its answer.
    private func begin() async throws(StoreError) -> WebAddress? {
        var fields = [("use", "keep"), ("id", id.text), ("sha256", payload.sha256), ("filename", payload.name)]
        if !payload.title.isEmpty { fields.append(("title", payload.title)) }
        if let expires = payload.expires, let time = Int64(exactly: (expires.timeIntervalSince1970 * 1000).rounded()) {
            fields.append(("expires", String(time)))
        }
        let metadata = fields.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        let request = HTTPRequest(
            .post, client.uploads,
            headers: [
                "Tus-Resumable": Self.version, "Upload-Length": String(payload.bytes), "Upload-Metadata": metadata,
            ], isRepeatable: true)
        let response = try await client.send(request)
        if response.status == 409 { return nil }
        guard response.isSuccess else { throw client.refusal(response, needed: ByteCount(payload.bytes)) }
        guard let upload = response.headers["Location"].flatMap({ client.upload($0) }) else {
            throw .unreachable("something else answered in place of \(client.hub.host)")
        }
        return upload
    }

    /// Asks what the hub has, and writes it down when it is more than nothing.
    private func resume(_ upload: WebAddress) async throws(StoreError) -> Answer {
        let answer = try await ask(upload)
        if case .kept(let confirmed) = answer, confirmed > 0 { await checkpoint.record(upload.text, confirmed) }
        return answer
    }

    private func ask(_ upload: WebAddress) async throws(StoreError) -> Answer {
        let response = try await client.send(
            HTTPRequest(.head, upload, headers: ["Tus-Resumable": Self.version]))
        if response.status == 404 || response.status == 410 { return .gone }
        guard response.isSuccess else { throw client.refusal(response, needed: ByteCount(payload.bytes)) }
        guard let confirmed = Self.offset(response) else {
            throw .unreachable("\(client.hub.host) does not tell what it has of the upload")
        }
        let length = response.headers["Upload-Length"].flatMap { Int64($0) } ?? payload.bytes
        if length == payload.bytes, confirmed <= length { return .kept(confirmed) }
        // It is of a clip that was made anew since, and would be in the way.
        await end(upload)
        return .gone
    }

    private func send(_ upload: WebAddress, from start: Int64) async throws(StoreError) -> Answer {
        let end = start + min(chunkBytes ?? .max, payload.bytes - start)
        if end == payload.bytes { try await verify(upload) }
        // Not repeatable as it is: after a failure the hub has to be asked what it kept.
        var request = HTTPRequest(
            .patch, upload,
            headers: [
                "Tus-Resumable": Self.version, "Upload-Offset": String(start),
                "Content-Type": "application/offset+octet-stream",
            ], body: .file(path: payload.path, offset: start, count: end - start), isRepeatable: false)
        let sent = checkpoint.sent
        request.progress = { count, _ in sent(start + count) }
        let response = try await client.send(request)
        switch response.status {
        case 200...299:
            guard let confirmed = Self.offset(response), confirmed <= end else { return try await ask(upload) }
            return .kept(confirmed)
        // Another offset, or a piece that arrived damaged and was thrown away.
        case 409, 460: return try await ask(upload)
        case 404, 410: return .gone
        default:
            let refusal = client.refusal(response, needed: ByteCount(payload.bytes))
            // What was begun must not take the room that is missing.
            if case .full = refusal { await forget(upload) }
            throw refusal
        }
    }

    /// Returns when it is certain that the file is the right one.
    private func verify(_ upload: WebAddress) async throws(StoreError) {
        do throws(StoreError) { try await verification.pass() } catch {
            // What the hub has may be of another file than the one that the next attempt finds.
            if error != .cancelled { await forget(upload) }
            throw error
        }
    }

    // MARK: what becomes of it

    /// The hub has every byte and checks them: waits for what comes of it. Nil when it knows nothing of the upload any more.
    private func outcome(_ upload: WebAddress) async throws(StoreError) -> StoredObject? {
        try await verify(upload)
        let name = String(upload.path.split(separator: "/").last ?? "")
        var waited = Duration.zero
        var pause = Self.firstPause
        while true {
            let response = try await client.send(HTTPRequest(.get, client.sent.appending(name)))
            if response.status == 404 || response.status == 410 { return nil }
            guard response.isSuccess else { throw client.refusal(response, needed: ByteCount(payload.bytes)) }
            let found = try client.decode(RemoteHubState.self, response)
            switch found.state {
            case "ready": return try await finish(upload)
            case "refused":
                await forget(upload)
                throw .refused(status: 422, detail: found.why ?? "\(client.hub.host) gives no reason")
            default: break
            }
            let asked = response.retryAfter(now: client.pause.now())
            let next = max(asked ?? .zero, pause)
            // A check that takes longer than any should goes on without anybody watching.
            guard waited + next <= Self.patience else { throw .busy(retryAfter: asked) }
            guard await client.pause.wait(next) else { throw .cancelled }
            waited += next
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// What the clip is, and not what has been received, is what listeners get.
    private func finish(_ upload: WebAddress) async throws(StoreError) -> StoredObject {
        guard let object = try await existing() else {
            await forget(upload)
            throw .refused(status: 200, detail: "\(client.hub.host) has not kept what it was sent")
        }
        return object
    }

    /// The clip that has the id already: the same bytes are success. Nil when there is none.
    private func existing() async throws(StoreError) -> StoredObject? {
        let response = try await client.send(HTTPRequest(.get, client.clip(id)))
        if response.status == 404 || response.status == 410 { return nil }
        guard response.isSuccess else { throw client.refusal(response, id: id) }
        guard try client.decode(RemoteHubClip.self, response).holds(payload, as: id) else { throw taken }
        return StoredObject(id: id, bytes: payload.bytes)
    }

    private var taken: StoreError { .refused(status: 409, detail: "the id '\(id)' already holds other bytes") }

    /// The upload is of no use any more: not for the next attempt, and not at the hub.
    private func forget(_ upload: WebAddress) async {
        await checkpoint.record(nil, 0)
        await end(upload)
    }

    /// Tells the hub to throw away what it has. Where that fails the hub does so by itself after a day.
    private func end(_ upload: WebAddress) async {
        _ = try? await client.send(HTTPRequest(.delete, upload, headers: ["Tus-Resumable": Self.version]))
    }

    private static func offset(_ response: HTTPResponse) -> Int64? {
        response.headers["Upload-Offset"].flatMap { ByteCount(decimal: $0) }?.bytes
    }

    private static let version = "1.0.0"
    /// Most clips are checked in less; a check takes about a hundredth of the clip's length.
    private static let firstPause = Duration.milliseconds(20)
    private static let longestPause = Duration.seconds(5)
    /// How long one attempt waits for the check in all.
    private static let patience = Duration.seconds(60)
}
