internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The shop: lists of tracks, by kind, words, tempo, key, price and tags; for people and programs.
struct ShopRoutes {
    let desk: BeatDesk

    var routes: [WebRoute] {
        [
            .get(BeatDesk.path) { request, context in
                let search = ShopSearch(request.asked)
                let page = try await desk.tracks.tracks(search.query, for: context.viewer)
                return desk.show(request, context) { token in
                    ShopPage(
                        search: search, tracks: page.found, next: page.next, layout: desk.layout(token), now: desk.now,
                        links: desk.links
                    ).html
                }
            },
            .api(
                .get, BeatDesk.api, .everybody, scope: "read:statuses",
                summary: "Tracks in the shop: by kind, words, tempo, key, price and tags",
                query: [
                    .text("kind", isRequired: false, "beat or open"), .text("q", isRequired: false, "words"),
                    .number("from", "beats a minute, at least"), .number("to", "beats a minute, at most"),
                    .number("key", "0 to 23: twice the semitones above C, and one more in minor"),
                    .text("price", isRequired: false, "free, offer, under20, from20, from50 or from100"),
                    .text("tag", isRequired: false, "may be given several times"),
                    .text("sort", isRequired: false, "new or liked"),
                    .text("after", isRequired: false, "where the page before ended"),
                ]
            ) { request, context in
                let page = try await desk.tracks.tracks(ShopSearch(request.asked).query, for: context.viewer)
                return desk.answer(
                    try .json(TrackListDocument(page.found, next: page.next, links: desk.links)), context)
            },
        ]
    }
}
