internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb
internal import Hummingbird

/// A listing's page, for people and programs.
struct ListingRoutes {
    let desk: ListingDesk

    var routes: [WebRoute] {
        [
            .get("\(ListingDesk.path)/:id") { request, context in
                try await desk.answering(request, context) { try await desk.page(request, context) }
            },
            .api(
                .get, "\(ListingDesk.api)/:id", .everybody, scope: "read:statuses", summary: "A listing of Lost & Found"
            ) {
                request, context in
                try await desk.answering(request, context) {
                    let listing = try await desk.listing(context)
                    if let account = try? context.account { try await desk.store.open(listing, by: account) }
                    return try .json(ListingDocument(listing, links: desk.links)).personal
                }
            },
        ]
    }
}

extension ListingDesk {
    /// The page of the listing that the path names.
    ///
    /// - Parameter phone: the number, when it was asked for.
    func page(_ request: Request, _ context: WebContext, phone: String? = nil) async throws -> Response {
        let listing = try await listing(context)
        let account = context.person.map { AccountID(rawValue: $0.id) }
        let isAuthor = account == listing.item.author.id
        if let account { try await store.open(listing, by: account) }
        let reader = desk.library.seen(by: context.viewer)
        let marks = account == nil ? [] : try await reader.marks(of: [listing.id])[listing.id] ?? []
        var transcript: ClipTranscript?
        if let clip = listing.item.clip { transcript = try await reader.transcript(of: clip.id) }
        let calls = isAuthor ? try await store.calls(of: listing.id, by: listing.item.author.id).count : nil
        return try await desk.showMade(request, context) { token in
            let view = ListingView(viewer: context.viewer, person: context.person, token: token, isAuthor: isAuthor)
            var parts: [(place: ListingPart.Place, html: HTML)] = []
            for part in Listings.parts(self) where part.place != .own || isAuthor {
                parts.append((part.place, try await part.html(listing, view)))
            }
            let asked = request.asked
            let map = await map.small(
                listing.item, name: word("listing.map.one"), MapWindow { asked[$0] }, isAuthor: isAuthor)
            return ListingPage(
                listing: listing, view: view, marks: marks, transcript: transcript, parts: parts, calls: calls,
                phone: phone, map: map, ground: ground, now: desk.library.now(), links: links
            ).html
        }.askingWhere
    }
}
