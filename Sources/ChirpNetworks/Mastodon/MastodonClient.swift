internal import ChirpCore
internal import ChirpHTTP

/// Requests to one instance, and what its answers mean.
struct MastodonClient: Sendable {
    let instance: WebAddress
    /// What one signs in to.
    let service: String
    /// Signs in and retries by itself.
    let transport: any HTTPTransport
    let pause: Sleeper

    func address(_ path: String..., fields: KeyValuePairs<String, String> = [:]) -> WebAddress {
        let whole = "/api/" + path.map(PercentEncoding.encode).joined(separator: "/")
        return fields.isEmpty ? instance.replacing(path: whole) : instance.replacing(path: whole).adding(fields)
    }

    /// The answer, whatever its status, unless it means that nobody is signed in or that it should be asked for later.
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled }
        let response: HTTPResponse
        do throws(HTTPError) { response = try await transport.send(request) } catch { throw NetworkError(error) }
        switch response.status {
        case 401: throw .signedOut(network: service, cause: "\(instance.host) no longer accepts the sign-in")
        case 429: throw .busy(retryAfter: response.retryAfter(now: pause.now()))
        case 408, 500...599:
            if let wish = response.retryAfter(now: pause.now()) { throw .busy(retryAfter: wish) }
            throw .unreachable("\(instance.host) answered \(response.status)")
        default: return response
        }
    }

    /// The decoded content of a successful answer.
    func get<T: Decodable>(_ type: T.Type, _ request: HTTPRequest) async throws(NetworkError) -> T {
        try decoded(type, try await send(request))
    }

    func decoded<T: Decodable>(_ type: T.Type, _ response: HTTPResponse) throws(NetworkError) -> T {
        guard response.isSuccess else { throw refusal(response) }
        guard let value = response.json(type) else {
            // A captive portal's page is no answer of the instance, so the request was not carried out.
            if !response.isJSON { throw .unreachable("a page came instead of the answer of \(instance.host)") }
            throw .refused(status: response.status, detail: "\(instance.host) does not answer as Mastodon does")
        }
        return value
    }

    func refusal(_ response: HTTPResponse) -> NetworkError {
        let words = response.json(MastodonRefusal.self).flatMap { $0.error_description ?? $0.error }
        let detail = words ?? "\(instance.host) gives no reason"
        return response.status == 403 ? .forbidden(detail) : .refused(status: response.status, detail: detail)
    }
}
