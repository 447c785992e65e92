internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// Single calls on one folder of a bucket, with the service's refusals told as a store tells them.
struct S3Bucket: Sendable {
    /// What is known of an object.
    struct Object: Hashable, Sendable {
        let bytes: Int64
        /// The SHA-256 that it was stored with, lower-case hexadecimal; nil of what somebody else has put there.
        let sha256: String?
    }

    let settings: S3Store.Settings
    let transport: any HTTPTransport
    let now: @Sendable () -> Date

    /// Where an object is, for those who sign and for those who may read without.
    func address(_ id: StoredObject.ID) -> WebAddress {
        (settings.folder + [id.text]).reduce(settings.bucketAddress) { $0.appending($1) }
    }

    /// The name of an object within the bucket.
    func key(_ id: StoredObject.ID) -> String { settings.keyPrefix + id.text }

    /// The object of a name; nil of what has none of this store's.
    func id(ofKey key: String) -> StoredObject.ID? {
        guard key.hasPrefix(settings.keyPrefix) else { return nil }
        let id = StoredObject.ID(String(key.dropFirst(settings.keyPrefix.count)))
        return FolderStore.isSafe(id) ? id : nil
    }

    /// Any answer, refusals included.
    func send(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        do throws(HTTPError) { return try await transport.send(request) } catch {
            throw StoreError(error, store: "s3")
        }
    }

    /// The answer to a question, of at most 4 MiB.
    ///
    /// - Parameter name: of its outermost element.
    func ask(_ address: WebAddress, for name: String) async throws(StoreError) -> S3Answer {
        let response = try await send(HTTPRequest(.get, address, sink: .memory(limit: 4 << 20)))
        guard response.isSuccess else { throw refusal(response) }
        return try read(response, name)
    }

    func read(_ response: HTTPResponse, _ name: String) throws(StoreError) -> S3Answer {
        // Something in between answers instead of the service, or it is another kind of service.
        guard let answer = S3Answer(response.body), answer.name == name else {
            throw .unreachable("\(settings.endpoint.host) does not answer as an S3 service does")
        }
        return answer
    }

    // MARK: objects

    /// What is known of an object; nil when there is none.
    func object(_ id: StoredObject.ID) async throws(StoreError) -> Object? {
        let response = try await send(HTTPRequest(.head, address(id)))
        switch response.status {
        case 200:
            guard let bytes = response.headers["Content-Length"].flatMap({ ByteCount(decimal: $0) })?.bytes else {
                throw .refused(status: 200, detail: "\(settings.endpoint.host) does not tell the size of an object")
            }
            return Object(bytes: bytes, sha256: response.headers[Self.sha256Field])
        case 404: return nil
        default:
            let refused = refusal(response)
            // An answer to HEAD has no content that says why; a list of the same bucket says it.
            if refused.isPermanent { _ = try await list(limit: 1) }
            throw refused
        }
    }

    /// A small file in one request: it is there whole or not at all, and in nobody's place. False when the name is taken.
    func put(
        _ payload: Payload, _ part: S3Part, as id: StoredObject.ID, sent: @escaping @Sendable (Int64) -> Void
    ) async throws(StoreError) -> Bool {
        var request = content(of: payload, part, to: address(id), sent: sent)
        for (name, value) in description(of: payload) { request.headers[name] = value }
        let response = try await unlessTaken(request)
        if response.status == 412 { return false }
        guard response.isSuccess else { throw refusal(response, needed: ByteCount(payload.bytes)) }
        return true
    }

    func delete(_ id: StoredObject.ID) async throws(StoreError) {
        let response = try await send(HTTPRequest(.delete, address(id)))
        if response.isSuccess { return }
        let refused = refusal(response, id: id)
        if case .missing = refused { return }
        throw refused
    }

    func load(_ id: StoredObject.ID, _ object: Object, to path: String) async throws(StoreError) {
        try await transport.load(
            HTTPRequest(.get, address(id)), bytes: object.bytes, to: path, store: "s3",
            check: { (response) throws(StoreError) in
                if !response.isSuccess { throw refusal(response, id: id) }
            },
            verify: { (path) throws(StoreError) in try Self.verify(path, object) })
    }

    // MARK: requests

    /// A part of a file with its checksums; a server that gets other bytes refuses them.
    func content(
        of payload: Payload, _ part: S3Part, to address: WebAddress, sent: @escaping @Sendable (Int64) -> Void
    ) -> HTTPRequest {
        HTTPRequest(
            .put, address,
            headers: [S3Transport.hashField: part.sha256, "Content-MD5": Data(part.md5).base64EncodedString()],
            body: .file(path: payload.path, offset: part.offset, count: part.count),
            progress: { count, _ in sent(part.offset + count) })
    }

    /// What an object is stored with beside its content.
    func description(of payload: Payload) -> [(String, String)] {
        [("Content-Type", payload.contentType), (Self.sha256Field, payload.sha256)]
    }

    /// Sends what makes an object, on condition that its name is free. Services that do not know the condition either leave it
    /// out of account or say so (501), and are then asked without it.
    func unlessTaken(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        var conditional = request
        conditional.headers["If-None-Match"] = "*"
        let response = try await send(conditional)
        return response.status == 501 ? try await send(request) : response
    }

    private static let sha256Field = "x-amz-meta-chirp-sha256"
}
