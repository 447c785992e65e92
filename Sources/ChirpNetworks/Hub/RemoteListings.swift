internal import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials

/// Lost & Found at a hub on another machine, as somebody who is signed in there or as everybody sees it.
public struct RemoteListings: Sendable {
    private let api: WebAddress
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - root: of the hub.
    ///   - transport: one that adds the access token, for acts.
    public init(root: WebAddress, transport: any HTTPTransport) {
        api = root.replacing(path: "/").appending("api", "hub", "v1", "lost-and-found")
        self.transport = transport
    }

    /// What a hub has refused, in its own words.
    public enum Refusal: Error, Hashable, Sendable {
        /// Sentences by the names of fields; empty when it is about none.
        case notTaken(title: String, fields: [String: String])
        case network(NetworkError)
    }

    /// - Parameter fields: as in the address of the page: `q, side, category, place, at, within, order, after`.
    public func search(_ fields: [String: String]) async throws(Refusal) -> HubListingPage {
        try await send(
            HTTPRequest(.get, fields.sorted { $0.key < $1.key }.reduce(api) { $0.adding([$1.key: $1.value]) }))
    }

    /// - Parameter fields: those of the form; `key` is the same for each try.
    public func place(_ fields: [String: String], pictures: [String]) async throws(Refusal) -> HubListing {
        try await send(HTTPRequest(.post, api, json: Placed(fields: fields, pictures: pictures), isRepeatable: true))
    }

    /// - Parameters:
    ///   - act: `closure`, `renewal` or `withdrawal`.
    ///   - fields: what the act needs.
    public func act(_ act: String, on id: String, _ fields: [String: String]) async throws(Refusal) -> HubListing? {
        let request = HTTPRequest(.post, api.appending(id, act), json: fields, isRepeatable: true)
        let response = try await answer(request)
        return response.body.isEmpty ? nil : decode(HubListing.self, response)
    }

    /// Takes in a picture for a listing.
    ///
    /// - Returns: its id.
    public func addPicture(_ bytes: [UInt8]) async throws(Refusal) -> String {
        let request = HTTPRequest(
            .post, api.appending("pictures"), headers: ["Content-Type": "application/octet-stream"],
            body: .bytes(bytes), isRepeatable: true)
        let taken: Taken = try await send(request)
        return taken.id
    }

    private struct Taken: Decodable { let id: String }

    private struct Placed: Encodable {
        let fields: [String: String]
        let pictures: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in fields { try container.encode(value, forKey: Name(stringValue: name)) }
            if !pictures.isEmpty { try container.encode(pictures, forKey: Name(stringValue: "pictures")) }
        }

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    private struct Problem: Decodable {
        let title: String?
        let detail: String?
        let errors: [String: String]?
    }

    private func send<T: Decodable>(_ request: HTTPRequest) async throws(Refusal) -> T {
        let response = try await answer(request)
        guard let value = decode(T.self, response) else {
            throw .network(.refused(status: response.status, detail: "\(api.host) does not answer as a hub does"))
        }
        return value
    }

    private func decode<T: Decodable>(_ type: T.Type, _ response: HTTPResponse) -> T? {
        try? UntrustedJSON.decode(type, from: response.body, .answer) {
            $0.dateDecodingStrategy = .custom { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                guard let date = InstantText.parse(text) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "no instant"))
                }
                return date
            }
        }
    }

    private func answer(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        let response: HTTPResponse
        do throws(HTTPError) { response = try await transport.send(request) } catch {
            throw .network(NetworkError(error))
        }
        if response.isSuccess { return response }
        let problem = response.json(Problem.self)
        switch response.status {
        case 401: throw .network(.signedOut(network: "hub"))
        case 429: throw .network(.busy(retryAfter: response.retryAfter(now: Date())))
        case 500...: throw .network(.unreachable("\(api.host) answers \(response.status)"))
        default:
            let title = PlainText(problem?.title ?? "the hub answers \(response.status)", limit: 200).value
            let detail = problem?.detail.map { ": \(PlainText($0, limit: 300))" } ?? ""
            throw .notTaken(title: title + detail, fields: problem?.errors ?? [:])
        }
    }
}
