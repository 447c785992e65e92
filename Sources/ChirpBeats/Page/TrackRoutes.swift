internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// A track's page, for people and programs.
struct TrackRoutes {
    let desk: BeatDesk

    var routes: [WebRoute] {
        [
            .get("\(BeatDesk.path)/:id") { request, context in
                try await desk.answering(request) { try await page(request, context) }
            },
            .api(
                .get, "\(BeatDesk.api)/:id", .everybody, scope: "read:statuses",
                summary: "A track, and what was found in it"
            ) {
                request, context in
                try await desk.answering(request) {
                    try await desk.document(try await desk.track(context), context)
                }
            },
            .api(
                .get, "\(BeatDesk.api)/:id/alike", .everybody, scope: "read:statuses",
                summary: "Tracks that are like a track, each with why"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    let like = try await desk.tracks.like(track, by: desk.likeness, for: context.viewer)
                    return desk.answer(try .json(AlikeDocument(like, links: desk.links)), context)
                }
            },
            .api(
                .get, "\(BeatDesk.api)/:id/versions", .everybody, scope: "read:statuses",
                summary: "The versions of a track's work"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    let versions = try await desk.tracks.versions(of: track.work, for: context.viewer)
                    return desk.answer(try .json(TrackListDocument(versions, next: nil, links: desk.links)), context)
                }
            },
        ]
    }

    private struct AlikeDocument: Encodable {
        struct Entry: Encodable {
            let track: TrackDocument
            let reasons: [String]
        }
        let tracks: [Entry]

        init(_ like: [LikeTrack], links: HubLinks) {
            tracks = like.map { like in
                Entry(track: TrackDocument(like.track, links: links), reasons: like.reasons.map(\.sentence))
            }
        }
    }

    private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let track = try await desk.track(context)
        let reader = desk.desk.library.seen(by: context.viewer)
        let like = try await desk.tracks.like(track, by: desk.likeness, for: context.viewer)
        let versions = try await desk.tracks.versions(of: track.work, for: context.viewer)
        var marks: Set<ItemMark> = []
        if context.person != nil { marks = try await reader.marks(of: [track.id])[track.id] ?? [] }
        var hasOwnPreview = false
        if let person = context.person, desk.makesOwnPreviews, track.publicPreview != nil,
            person.id != track.item.author.id.rawValue
        {
            hasOwnPreview = try await desk.tracks.hasOwnPreviews(track.id)
        }
        var transcript: ClipTranscript?
        if let clip = track.item.clip { transcript = try await reader.transcript(of: clip.id) }
        return try await desk.desk.showMade(request, context) { token in
            let view = TrackView(
                viewer: context.viewer, person: context.person, token: token,
                isAuthor: context.person?.id == track.item.author.id.rawValue, isModerator: context.isModerator)
            let twins =
                view.isAuthor || view.isModerator ? try await desk.tracks.twins(of: track, for: context.viewer) : []
            let stems = try await desk.tracks.stems(of: track.id)
            var parts: [(place: TrackPart.Place, html: HTML)] = []
            for part in desk.parts.sections { parts.append((part.place, try await part.html(track, view, desk))) }
            // Nobody but its author sees a draft.
            let comments: HTML =
                track.item.state == .draft
                ? .nothing : try await desk.comments.section(of: track.item, context, token: token)
            return TrackPage(
                track: track, versions: versions.filter { $0.id != track.id }, like: like, twins: twins,
                stems: stems,
                marks: marks,
                transcript: transcript,
                comments: comments, hasOwnPreview: hasOwnPreview, mayTag: desk.makesOwnPreviews,
                parts: parts, view: view, now: desk.now, layout: desk.layout(token), links: desk.links
            ).html
        }
    }
}
