internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What is shown of films, for those who may see an item that they are of; and for their senders, what has become of them.
struct FilmRoutes {
    let library: HubLibrary
    let links: HubLinks

    var routes: [WebRoute] {
        [
            .get("/films/:file") { request, context in
                // What was sent has a name too, but is for nobody.
                guard let (id, file) = context.parameters.get("file").flatMap({ FilmFolder.parts($0) }),
                    let film = try await library.seen(by: context.viewer).film(id, file)
                else { throw HTTPError(.notFound) }
                return try await FilmFileAnswer.send(film, to: request)
            },
            .get("/films/:file/judged", .signedIn) { request, context in
                guard let id = context.parameters.get("file").flatMap({ HubID($0) }),
                    let film = try await library.seen(by: context.viewer).judgedFilm(id)
                else { throw HTTPError(.notFound) }
                return try await FilmFileAnswer.send(film, to: request)
            },
            .api(
                .get, "/api/hub/v1/films/:film", .signedIn, scope: "read:media",
                summary: "What has become of a video or a track that was sent as an upload"
            ) { _, context in
                let film = try await own(context)
                var answer = try Response.json(Document(film, links))
                answer.headers[.cacheControl] = "no-store"
                return answer
            },
            .api(
                .delete, "/api/hub/v1/films/:film", .signedIn, scope: "write:media",
                summary: "Removes a video or a track that nothing uses", gives: 204
            ) { _, context in
                let film = try await own(context)
                guard try await library.removeFilm(film.id, of: film.owner) else {
                    throw Problem(.conflict, "changed-meanwhile", "Something uses this, or it is still being made")
                }
                return Response(status: .noContent)
            },
        ]
    }

    /// - Throws: 404 for others' too.
    private func own(_ context: WebContext) async throws -> HubFilm {
        let account = AccountID(rawValue: try context.someone.id)
        guard let id = context.parameters.get("film").flatMap({ HubID($0) }), let film = try await library.film(id),
            film.owner == account
        else { throw HTTPError(.notFound) }
        return film
    }

    private struct Document: Encodable {
        let id, state: String
        let why: String?
        let milliseconds, width, height: Int?
        let shown, preview, poster, sound: String?

        init(_ film: HubFilm, _ links: HubLinks) {
            (id, state, why) = (film.id.text, film.state.rawValue, film.why)
            (milliseconds, width, height) = (film.facts?.milliseconds, film.facts?.width, film.facts?.height)
            let isReady = film.state == .ready
            // Of a track nothing is shown here: what others hear of it is a clip.
            let isShown = isReady && film.track == nil
            shown = isShown ? links.film(film.id, .shown) : nil
            let hasPictures = film.facts?.hasPictures == true
            preview = isReady && hasPictures ? links.film(film.id, .preview) : nil
            poster = isReady && hasPictures ? links.film(film.id, .poster) : nil
            sound = isShown && film.facts?.hasSound == true ? links.film(film.id, .sound) : nil
        }
    }
}
