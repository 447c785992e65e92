package import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
package import Hummingbird

/// A file of a film as an answer.
package enum FilmFileAnswer {
    /// What everybody may see is kept by whoever likes for an hour, and then asked for anew: the bytes behind a name never change, but
    /// what shows them may be hidden or taken back. What is for some is kept by their browsers alone.
    package static func send(_ film: SeenFilm, to request: Request) async throws -> Response {
        let cacheControl = film.isPublic ? "public, max-age=3600, must-revalidate" : "private, no-cache"
        var answer = FileAnswer(sha256: film.sha256, modified: film.created, cacheControl: cacheControl)
        answer.headers[.crossOriginResourcePolicy] = film.isPublic ? "cross-origin" : "same-origin"
        return try await answer.send(to: request, type: film.type) { film.file }
    }
}
