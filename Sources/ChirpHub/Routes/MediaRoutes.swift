internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The bytes of clips, and what is said in them.
struct MediaRoutes {
    let reader: HubReader

    func add(to router: Router<WebContext>) {
        router.get("/media/:file") { request, context in
            guard let name = context.parameters.get("file") else { throw HTTPError(.notFound) }
            for suffix in [".vtt", ".txt"] where name.hasSuffix(suffix) {
                return try await words(of: name.dropLast(4), isTimed: suffix == ".vtt", request)
            }
            guard name.hasSuffix(".mp3") else { throw HTTPError(.notFound) }
            return try await send(try await reader.visible(name.dropLast(4)), to: request)
        }
    }

    /// What is said in a clip, as a file: for players, and for programs that read feeds.
    private func words(
        of id: some StringProtocol, isTimed: Bool, _ request: Request
    ) async throws -> Response {
        let clip = try await reader.visible(id)
        guard let transcript = try await reader.transcript(of: clip.id), transcript.isTimed == isTimed else {
            throw HTTPError(.notFound)
        }
        var response = Response.document(
            Data(transcript.text.utf8), type: "\(transcript.type); charset=utf-8", to: request)
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    func send(_ clip: HubClip, to request: Request) async throws -> Response {
        try await ClipSound(clip, reader: reader, isPrivate: false).send(to: request)
    }
}
