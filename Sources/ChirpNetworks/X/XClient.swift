internal import ChirpCore
internal import ChirpHTTP

/// Requests to X's API, and what its answers mean.
struct XClient: Sendable {
    let api: WebAddress
    /// Signs in; repeats nothing.
    let transport: any HTTPTransport
    /// The same with patience, for what may be repeated.
    let reading: any HTTPTransport
    let pause: Sleeper

    init(api: WebAddress, transport: any HTTPTransport, retry: RetryPolicy, pause: Sleeper) {
        self.api = api
        self.transport = transport
        self.pause = pause
        reading = RetryingTransport(transport, policy: retry, pause: pause)
    }

    func address(_ path: String..., fields: [(name: String, value: String)] = []) -> WebAddress {
        var root = api.path
        while root.hasSuffix("/") { root.removeLast() }
        let whole = root + "/2/" + path.map(PercentEncoding.encode).joined(separator: "/")
        return api.replacing(path: whole, query: fields.isEmpty ? nil : PercentEncoding.form(fields))
    }

    /// The content of a page or thing; nil where X says that there is nothing.
    func get<T: Decodable>(_ type: T.Type, _ address: WebAddress) async throws(NetworkError) -> XAnswer<T> {
        let response = try await send(HTTPRequest(.get, address))
        guard response.isSuccess else { throw refusal(response) }
        return try decoded(type, response)
    }

    func decoded<T: Decodable>(_ type: T.Type, _ response: HTTPResponse) throws(NetworkError) -> XAnswer<T> {
        guard let answer = response.json(XAnswer<T>.self) else {
            if !response.isJSON { throw .unreachable("a page came instead of the answer of \(api.host)") }
            throw .refused(status: response.status, detail: "X does not answer as it used to")
        }
        return answer
    }

    /// The answer, unless it means that nobody is signed in or that it should be asked for later.
    ///
    /// A POST is sent once: without keys a lost one may have been carried out, whatever the status says.
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled }
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await (request.isRepeatable ? reading : transport).send(request)
        } catch {
            throw NetworkError(error)
        }
        switch response.status {
        case 401: throw .signedOut(network: "x", cause: "X no longer accepts the sign-in")
        case 429:
            // A cap on the month's reads does not pass in a quarter of an hour.
            let isCapped = response.json(XProblem.self)?.kind == "usage-capped"
            throw .busy(retryAfter: isCapped ? .seconds(86_400) : response.retryAfter(now: pause.now()))
        case 408, 500...599: throw .unreachable("\(api.host) answered \(response.status)")
        default: return response
        }
    }

    func refusal(_ response: HTTPResponse) -> NetworkError {
        let problem = response.json(XProblem.self)
        let words = problem?.words ?? ""
        switch (response.status, problem?.kind) {
        case (402, _):
            return .overBudget("X has no credits left for this app; buy some in its console")
        case (403, "client-not-enrolled"), (403, "client-forbidden"):
            return .forbidden(
                "\(words.isEmpty ? "this app may not use the API" : words) Put the app into a project in X's console")
        case (403, _): return .forbidden(words.isEmpty ? "X gives no reason" : words)
        default: return .refused(status: response.status, detail: words.isEmpty ? "X gives no reason" : words)
        }
    }
}
