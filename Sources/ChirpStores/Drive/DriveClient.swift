internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

/// Single calls of Drive's API, with its refusals told as a store tells them.
struct DriveClient: Sendable {
    let settings: DriveStore.Settings
    let transport: any HTTPTransport
    let now: @Sendable () -> Date

    /// Any answer, refusals included.
    func send(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        do throws(HTTPError) { return try await transport.send(request) } catch {
            throw StoreError(error, store: "drive")
        }
    }

    /// The content of a success.
    func json<T: Decodable>(
        _ type: T.Type, _ request: HTTPRequest, id: StoredObject.ID? = nil
    ) async throws(StoreError) -> T {
        let response = try await send(request)
        guard response.isSuccess else { throw refusal(response, id: id) }
        return try decode(type, response)
    }

    func decode<T: Decodable>(_ type: T.Type, _ response: HTTPResponse) throws(StoreError) -> T {
        guard let value = response.json(type) else {
            // Something in between answers instead of the service; it will not for ever.
            throw .unreachable(
                "something else answered in place of Google Drive, perhaps a page to sign in to this network")
        }
        return value
    }

    func post(_ address: WebAddress, _ content: some Encodable) -> HTTPRequest {
        // Nothing here can fail to be encoded: texts and lists of texts.
        let body = (try? JSONEncoder().encode(content)) ?? Data()
        return HTTPRequest(
            .post, address, headers: ["Content-Type": "application/json; charset=utf-8"], body: .bytes([UInt8](body)))
    }

    /// What is known of a file that is not in the trash.
    func file(_ id: StoredObject.ID) async throws(StoreError) -> DriveFile {
        let address = settings.api.appending("files", id.text)
            .adding(["fields": "id,size,md5Checksum,sha256Checksum,webViewLink,trashed"])
        let file = try await json(DriveFile.self, HTTPRequest(.get, address), id: id)
        if file.trashed == true { throw .missing(id) }
        return file
    }

    /// An id that the service keeps for a file to come.
    func newID() async throws(StoreError) -> String {
        let address = settings.api.appending("files", "generateIds")
            .adding(["count": "1", "space": "drive", "type": "files"])
        let ids = try await json(DriveIDs.self, HTTPRequest(.get, address)).ids
        guard let id = ids.first, DriveStore.isSafe(StoredObject.ID(id)) else {
            throw .refused(status: 200, detail: "it gave no usable id")
        }
        return id
    }

    /// Everything that a query finds, oldest first. A page may be empty and still have a next one.
    func list(_ query: String) async throws(StoreError) -> [DriveFile] {
        let first = settings.api.appending("files").adding([
            "q": query, "spaces": "drive", "orderBy": "createdTime", "pageSize": "1000",
            "fields": "nextPageToken,files(id,appProperties,permissions(type,role))",
        ])
        var found: [DriveFile] = []
        var address = first
        // A thousand pages of a thousand clips; beyond that the tokens are going in a circle.
        for _ in 0..<1000 {
            let page = try await json(DriveFileList.self, HTTPRequest(.get, address))
            found += page.files ?? []
            guard let token = page.nextPageToken else { return found }
            address = first.adding(["pageToken": token])
        }
        return found
    }

    /// Why the service refused (Drive guide, Resolve errors): by status and `error.errors[0].reason`.
    ///
    /// - Parameters:
    ///   - id: what was asked for; names what is missing.
    ///   - needed: what was being stored.
    func refusal(_ response: HTTPResponse, id: StoredObject.ID? = nil, needed: ByteCount? = nil) -> StoreError {
        let refusal = response.json(DriveRefusal.self)?.error
        let reason = refusal?.errors?.first?.reason ?? ""
        let detail = refusal?.message ?? "no reason was given"
        switch (response.status, reason) {
        case (401, _): return .signedOut(store: "drive", cause: "the service no longer accepts the sign-in")
        case (403, "rateLimitExceeded"), (403, "userRateLimitExceeded"), (403, "sharingRateLimitExceeded"),
            (408, _), (429, _), (500...599, _):
            return .busy(retryAfter: response.retryAfter(now: now()))
        case (403, "storageQuotaExceeded"), (403, "quotaExceeded"):
            guard let needed else { return .forbidden(detail) }
            return .full(needed: needed, free: nil)
        case (403, "dailyLimitExceeded"), (403, "accessNotConfigured"):
            return .refused(status: 403, detail: "\(detail) (\(reason))")
        case (403, _): return .forbidden(detail)
        case (404, _): if let id { return .missing(id) }
        default: break
        }
        return .refused(status: response.status, detail: detail)
    }
}

/// Drive's error body.
private struct DriveRefusal: Decodable {
    struct Problem: Decodable {
        struct Item: Decodable { let reason: String? }
        let message: String?
        let errors: [Item]?
    }
    let error: Problem
}
