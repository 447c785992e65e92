internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The description of the hub's API for programs and those who write them.
struct DescriptionRoutes {
    /// All of the hub's, but this one.
    let described: [WebRoute]
    let links: HubLinks

    var routes: [WebRoute] {
        [
            .api(.get, "/api/openapi.json", .everybody, scope: .open, summary: "This description") { request, _ in
                let document = OpenAPIDocument(described, title: "Chirp hub", publicURL: links.publicURL)
                return .document(try WebJSON.encode(document.json), type: "application/json", to: request)
            }
        ]
    }
}
