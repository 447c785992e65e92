internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// The preview of one's own track, for oneself alone: of a draft, and of what was taken down, it has no address at which others could hear it
/// (AR-6, AR-8).
struct PreviewRoutes {
    let desk: BeatDesk

    var routes: [WebRoute] {
        [
            .get("\(BeatDesk.path)/:id/preview.mp3", .signedIn, answer: send),
            .api(
                .get, "\(BeatDesk.api)/:id/preview.mp3", .signedIn, scope: "read:media",
                summary: "What is heard of one's own track, also while it is a draft", givesType: "audio/mpeg",
                answer: send),
        ]
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        try await desk.answering(request) {
            guard let clip = try await desk.ownTrack(context).item.clip else { throw Problem.noTrack }
            return try await ClipSound(clip, reader: desk.desk.library.seen(by: context.viewer), for: .asker)
                .send(to: request)
        }
    }
}

extension Track {
    /// What everybody hears of it; nil: nobody but its author does.
    var publicPreview: HubClip? { item.state == .draft || item.state == .withdrawn ? nil : item.clip }

    /// Where it is heard by who sees its page, without the prefix; nil: there is nothing to hear yet.
    var previewPath: String? {
        guard item.clip != nil else { return nil }
        return publicPreview.map { "/media/\($0.id.text).mp3" } ?? "\(path)/preview.mp3"
    }

    /// Where a program hears its own person's, without the prefix.
    var ownPreviewAPI: String { "\(BeatDesk.api)/\(id)/preview.mp3" }
}
