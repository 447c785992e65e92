internal import ChirpCore
internal import ChirpHTTP

/// One question to a service that signs people in. Somebody waits at a browser for the answer, and the service may be a stranger's:
/// so it has 10 s for the whole of at most 1 MiB, and no redirect is followed.
struct BoundedQuestion: Sendable {
    let transport: any HTTPTransport
    let clock: any Clock<Duration>

    static let mostBytes = 1 << 20
    static let patience = Duration.seconds(10)

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
        let (transport, clock, host) = (transport, clock, request.address.host)
        let answer = await withTaskGroup(of: Result<HTTPResponse, HTTPError>.self) { group in
            group.addTask {
                do throws(HTTPError) { return .success(try await transport.send(request)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do { try await clock.sleep(for: Self.patience) } catch { return .failure(.cancelled) }
                return .failure(.interrupted(host: host, reason: "it took longer than \(Self.patience)"))
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        do throws(HTTPError) {
            let response = try answer.get()
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
