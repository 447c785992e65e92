internal import ChirpCore
internal import ChirpHTTP

/// Single calls of a hub's own API, with its refusals told as a store tells them.
struct RemoteHubClient: Sendable {
    /// The hub's root. The access token goes to this origin alone.
    let hub: WebAddress
    let transport: any HTTPTransport
    let pause: Sleeper

    /// Where uploads are begun (tus 1.0).
    var uploads: WebAddress { hub.appending("api", "uploads") }

    /// What the account has sent, and its room.
    var sent: WebAddress { hub.appending("api", "hub", "v1", "uploads") }

    func clip(_ id: StoredObject.ID) -> WebAddress { hub.appending("api", "hub", "v1", "clips", id.text) }

    /// The address of an upload as the hub or the journal names it; nil when it is none. A hub behind a proxy may name it by
    /// another origin, where nothing is sent to.
    func upload(_ location: String) -> WebAddress? {
        guard let named = uploads.resolving(location), !named.hasDotSegments else { return nil }
        let parts = named.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "api", parts[2] == "uploads", !parts[3].isEmpty else { return nil }
        return hub.replacing(path: named.path)
    }

    /// Any answer, refusals included.
    func send(_ request: HTTPRequest) async throws(StoreError) -> HTTPResponse {
        do throws(HTTPError) { return try await transport.send(request) } catch {
            throw StoreError(error, store: "hub")
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
        if let value = response.json(type) { return value }
        // Something in between answers instead of the hub; it will not for ever.
        guard response.isJSON else {
            throw .unreachable("a page came instead of the answer of \(hub.host), perhaps to sign in to this network")
        }
        throw .refused(status: response.status, detail: "\(hub.host) does not answer as a hub does")
    }

    /// Where a clip can be read by everybody who has the link.
    func share(_ id: StoredObject.ID) async throws(StoreError) -> RemoteHubLinks {
        try await json(
            RemoteHubLinks.self, HTTPRequest(.post, clip(id).appending("share"), isRepeatable: true), id: id)
    }

    /// Why the hub refused.
    ///
    /// - Parameters:
    ///   - id: what was asked for; names what is missing.
    ///   - needed: what was being stored.
    func refusal(_ response: HTTPResponse, id: StoredObject.ID? = nil, needed: ByteCount? = nil) -> StoreError {
        let problem = response.json(RemoteHubProblem.self)
        let detail = problem?.detail ?? problem?.title ?? problem?.error ?? "no reason was given"
        switch response.status {
        case 401: return .signedOut(store: "hub", cause: "\(hub.host) no longer accepts the sign-in")
        case 403: return .forbidden(detail)
        case 404, 410: if let id { return .missing(id) }
        case 413, 507: if let needed { return .full(needed: needed, free: nil) }
        case 408, 423, 429, 500...599: return .busy(retryAfter: response.retryAfter(now: pause.now()))
        default: break
        }
        return .refused(status: response.status, detail: detail)
    }
}
