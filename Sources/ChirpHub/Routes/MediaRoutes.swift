internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The bytes of clips, and what is said in them.
struct MediaRoutes {
    let library: HubLibrary

    /// What is said in a clip, as a file: for players, and for programs that read feeds. Words are for those who may see the page.
    var routes: [WebRoute] {
        [
            .get("/media/{id}.vtt") { try await words(isTimed: true, $0, $1) },
            .get("/media/{id}.txt") { try await words(isTimed: false, $0, $1) },
        ]
    }

    /// The sound, at an address that is all that players send.
    func add(to router: Router<WebContext>) {
        let reader = library.seen(by: .visitor)
        router.get("/media/:file") { request, context in
            guard let name = context.parameters.get("file"), name.hasSuffix(".mp3"), let id = HubID(name.dropLast(4))
            else { throw HTTPError(.notFound) }
            switch try await reader.sound(at: id) {
            case .clip(let clip, let isForEverybody):
                return try await ClipSound(clip, reader: reader, for: isForEverybody ? .everybody : .address)
                    .send(to: request)
            case .gone: throw HTTPError(.gone)
            case .nothing: throw HTTPError(.notFound)
            }
        }
    }

    private func words(isTimed: Bool, _ request: Request, _ context: WebContext) async throws -> Response {
        let reader = library.seen(by: context.viewer)
        let clip = try await reader.visible(context.parameters.get("id"))
        guard let transcript = try await reader.transcript(of: clip.id), transcript.isTimed == isTimed else {
            throw HTTPError(.notFound)
        }
        var response = Response.document(
            Data(transcript.text.utf8), type: "\(transcript.type); charset=utf-8", to: request)
        if case .clip = try await library.seen(by: .visitor).clip(clip.id) {
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
            response.headers[.accessControlAllowOrigin] = "*"
        } else {
            response.headers[.cacheControl] = "private, no-cache"
        }
        return response
    }
}
