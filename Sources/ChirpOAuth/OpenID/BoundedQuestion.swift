internal import ChirpCore
internal import ChirpHTTP

/// One question to a service that signs people in. Somebody waits at a browser for the answer, and the service may be a stranger's:
/// so it has 10 s for the whole of at most 1 MiB, and no redirect is followed.
struct BoundedQuestion: Sendable {
    private let transport: any HTTPTransport

    private static let mostBytes = 1 << 20
    private static let patience = Duration.seconds(10)

    init(transport: any HTTPTransport, clock: any Clock<Duration>) {
        self.transport = PatientTransport(transport, patience: Self.patience, clock: clock)
    }

    func get(_ address: WebAddress, token: String? = nil) async throws(IdentityError) -> HTTPResponse {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        return try await ask(
            HTTPRequest(.get, address, headers: headers, sink: .memory(limit: Self.mostBytes)))
    }

    func post(
        _ address: WebAddress, _ fields: [(name: String, value: String)], headers: HTTPHeaders = [:]
    ) async throws(IdentityError) -> HTTPResponse {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers["Accept"] = "application/json"
        return try await ask(
            HTTPRequest(
                .post, address, headers: headers, body: .text(PercentEncoding.form(fields)),
                sink: .memory(limit: Self.mostBytes), isRepeatable: false))
    }

    private func ask(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
        let host = request.address.host
        do throws(HTTPError) {
            let response = try await transport.send(request)
            // What leads elsewhere could lead anywhere.
            guard !(300...399).contains(response.status) else {
                throw .redirect(host: host, reason: "which is not followed")
            }
            guard response.status < 500 else {
                throw .interrupted(host: host, reason: "it answered \(response.status)")
            }
            return response
        } catch {
            throw .unreachable(error)
        }
    }
}
