internal import ChirpCore
internal import ChirpHTTP
internal import FoundationEssentials

extension FederationClient {
    /// An answer, and where it was found in the end.
    struct Answer: Sendable {
        let body: [UInt8]
        let contentType: String?
        let place: WebAddress
    }

    /// A document that has the id by which it was asked for. One that names another id is asked for once more by that, since only what lies at
    /// an id speaks for it.
    func read(_ id: ObjectID, _ signer: Signer) async throws(FetchError) -> DocumentValue {
        let (found, place) = try await document(at: id.address, signer)
        guard let own = found["id"]?.id else { throw .document(.missing("id")) }
        // Of a server that redirects to anywhere, anybody could have a document with an id of its own.
        if own.address == place || (own == id && own.origin == WebOrigin(place)) { return found }
        let (second, end) = try await document(at: own.address, signer)
        guard second["id"]?.id == own, own.origin == WebOrigin(end) else { throw .document(.foreign("id")) }
        return second
    }

    private func document(
        at address: WebAddress, _ signer: Signer
    ) async throws(FetchError) -> (DocumentValue, WebAddress) {
        let answer = try await ask(address, accept: MediaType.accept, signer)
        guard MediaType.isActivity(answer.contentType) else { throw .notActivity }
        let value = try Self.checked { () throws(DocumentError) in try DocumentValue(reading: answer.body) }
        return (value, answer.place)
    }

    /// Asks, by the rules at each redirect.
    ///
    /// - Parameter signer: nil for what is public to everybody.
    func ask(_ address: WebAddress, accept: String, _ signer: Signer?) async throws(FetchError) -> Answer {
        var place = address
        for _ in 0...Self.mostRedirects {
            let response = try await knock(at: place, accept: accept, signer)
            switch response.status {
            case 200:
                return Answer(body: response.body, contentType: response.headers["Content-Type"], place: place)
            case 301, 302, 303, 307, 308:
                guard let next = response.headers["Location"].flatMap({ place.resolving($0) }) else {
                    throw .status(response.status, after: nil)
                }
                place = next
            case 410: throw .gone
            default: throw .status(response.status, after: response.retryAfter(now: now()))
            }
        }
        throw .forbidden("\(address.host) redirects too often")
    }

    /// Asks by one scheme and, where that is answered by 401, by the other.
    private func knock(
        at address: WebAddress, accept: String, _ signer: Signer?
    ) async throws(FetchError) -> HTTPResponse {
        if let refusal = rules.refusal(of: address) { throw .forbidden(refusal) }
        var last: HTTPResponse?
        for scheme in SignatureScheme.allCases {
            var request = HTTPRequest(
                .get, address, headers: ["Accept": accept], sink: .memory(limit: DocumentValue.mostBytes))
            if let signer {
                do throws(KeyError) { try signer.sign(&request, content: [], scheme, now: now()) } catch {
                    throw .forbidden("the hub's key cannot sign")
                }
            }
            let response: HTTPResponse
            do throws(HTTPError) { response = try await transport.send(request) } catch { throw .unreachable(error) }
            last = response
            guard response.status == 401, signer != nil else { break }
        }
        guard let last else { throw .gone }
        return last
    }

    /// Gives up what takes longer than ``patience`` as a whole.
    func withinPatience<T: Sendable>(
        _ work: @escaping @Sendable () async throws(FetchError) -> T
    ) async throws(FetchError) -> T {
        let clock = clock
        return try await withTaskGroup(of: Result<T, FetchError>.self) { group in
            group.addTask {
                do throws(FetchError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await clock.sleep(for: Self.patience) } catch { return .failure(.unreachable(.cancelled)) }
                return .failure(.tooSlow)
            }
            let first = await group.next() ?? .failure(.unreachable(.cancelled))
            group.cancelAll()
            return first
        }.get()
    }

    static func checked<T>(_ read: () throws(DocumentError) -> T) throws(FetchError) -> T {
        do throws(DocumentError) { return try read() } catch { throw .document(error) }
    }
}
