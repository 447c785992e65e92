internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpDrawing
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging

/// A listing's poster as PDF, for whoever sees the listing.
struct PosterRoutes {
    let desk: ListingDesk
    /// Drawing takes a processor for some ten milliseconds and holds a picture in memory: so many at once.
    private let turns = AsyncSemaphore(width: 2)
    /// Of a picture; the hub's own are a tenth of that.
    private static let mostBytes: Int64 = 16 << 20

    init(_ desk: ListingDesk) { self.desk = desk }

    var routes: [WebRoute] {
        [
            .get("\(ListingDesk.path)/:id/poster.pdf") { request, context in
                try await desk.answering(request, context) {
                    try await desk.desk.consume(
                        "poster", RateRule(120, per: 3600), by: .network(context.network), told: word("listing.often"))
                    let listing = try await desk.listing(context)
                    guard await turns.enter() else { throw CancellationError() }
                    defer { turns.leave() }
                    let bytes = try await pdf(of: listing, context)
                    var answer = Response.document(Data(bytes), type: "application/pdf", to: request)
                    // Whether it may be seen, and what it says, changes.
                    answer.headers[.cacheControl] = "private, max-age=60"
                    answer.headers[.contentDisposition] = "inline; filename=\"poster.pdf\""
                    return answer
                }
            }
        ]
    }

    /// - Throws: 503 with the cure, where nothing can be drawn.
    private func pdf(of listing: Listing, _ context: WebContext) async throws -> [UInt8] {
        let picture = try await picture(of: listing, context)
        let poster = ListingPoster(listing: listing, picture: picture, links: desk.links).poster
        do throws(Poster.Failure) { return try await drawn(poster) } catch {
            guard picture != nil else { throw unavailable(error) }
        }
        // A sheet without its picture is better than none.
        var plain = poster
        plain.picture = nil
        do throws(Poster.Failure) { return try await drawn(plain) } catch { throw unavailable(error) }
    }

    private func drawn(_ poster: Poster) async throws(Poster.Failure) -> [UInt8] {
        try await offPool { () throws(Poster.Failure) in try poster.pdf() }
    }

    private func unavailable(_ failure: Poster.Failure) -> Problem {
        desk.desk.logger.warning("no poster: \(failure)")
        return Problem(
            .serviceUnavailable, "no-poster", word("poster.unavailable"), detail: word("poster.unavailable.detail"))
    }

    /// The first picture as large as it is kept; nil when there is none.
    private func picture(of listing: Listing, _ context: WebContext) async throws -> [UInt8]? {
        guard let id = listing.item.pictures.first,
            let file = try await desk.desk.library.seen(by: context.viewer).picture(id, .large)?.file,
            file.size <= Self.mostBytes
        else { return nil }
        return await offPool { file.read(at: 0, count: Int(file.size)).map { Array($0) } }
    }
}

/// The way to it from a listing's page, while somebody may still find the thing.
struct PosterPart {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    var part: ListingPart {
        ListingPart(place: .acts) { listing, _ in
            guard listing.item.state == .open, !listing.item.isHidden else { return .nothing }
            return """
                <a class="act" href="\(desk.prefix)\(listing.path)/poster.pdf">\(word("poster.link"))</a>
                """
        }
    }
}
