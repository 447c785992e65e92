internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The description of the hub's API for programs and those who write them.
struct DescriptionRoutes {
    /// All of the hub's, but this one.
    let described: [WebRoute]
    let links: HubLinks

    var routes: [WebRoute] {
        let kept = Kept()
        return [
            .api(.get, "/api/openapi.json", .everybody, scope: .open, summary: "This description") { request, _ in
                let (content, validators) = try kept.made {
                    let document = OpenAPIDocument(described, title: "Chirp hub", publicURL: links.publicURL)
                    return try WebJSON.encode(document.json)
                }
                // Weak: the packed bytes are others.
                var headers: HTTPFields = [.cacheControl: "no-cache", .eTag: "W/\(validators.entityTag)"]
                if validators.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
                headers[.contentType] = "application/json"
                return content.answer(to: request, headers)
            }
        ]
    }

    /// Half a million bytes that are the same for everybody for as long as the server runs: made and packed for who asks first.
    private final class Kept: Sendable {
        private let content = Mutex<(PackedBytes, Validators)?>(nil)

        func made(_ make: () throws -> Data) throws -> (PackedBytes, Validators) {
            try content.withLock { content in
                if let content { return content }
                let bytes = try make()
                let made = (PackedBytes(Array(bytes)), Validators(of: bytes))
                content = made
                return made
            }
        }
    }
}
