internal import ChirpCommunity
internal import ChirpCore
internal import ChirpDrawing
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging

/// The pictures of clips for other sites.
struct CardRoutes {
    let reader: HubReader
    /// Drawing takes some ten milliseconds of a processor: so many at once.
    private let turns = AsyncSemaphore(width: 2)

    init(reader: HubReader) { self.reader = reader }

    func add(to router: Router<WebContext>) {
        router.get("/card/:file") { request, context in
            guard let name = context.parameters.get("file"), name.hasSuffix(".png") else { throw HTTPError(.notFound) }
            let clip = try await reader.shown(name.dropLast(4))
            let length = clip.sound.map { "\(Wording.clock($0.seconds)) · " } ?? ""
            let post = try await reader.post(about: clip.id)
            let author = post.flatMap { $0.isByOwner ? nil : "\($0.author.name) · " } ?? ""
            let picture = CardPicture(
                title: clip.displayTitle, byline: "\(author)\(length)Chirp", peaks: clip.sound?.peaks ?? [])
            let bytes: [UInt8]
            guard await turns.enter() else { throw CancellationError() }
            defer { turns.leave() }
            do throws(CardPicture.Failure) {
                bytes = try await offPool { () throws(CardPicture.Failure) in try picture.png() }
            } catch {
                context.logger.warning("no picture for a link: \(error)")
                throw HTTPError(.notFound)
            }
            var response = Response.document(Data(bytes), type: "image/png", to: request)
            response.headers[.cacheControl] = "public, max-age=300"
            response.headers[.crossOriginResourcePolicy] = "cross-origin"
            return response
        }
    }
}
