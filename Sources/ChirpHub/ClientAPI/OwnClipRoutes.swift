internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// One's own clips by the hub's own API: what a program does with them that has sent them and posts elsewhere.
struct OwnClipRoutes {
    let desk: ClientDesk

    var routes: [WebRoute] {
        [
            .api(
                .post, "/api/hub/v1/clips/:id/share", .active, scope: "write:media", body: .upTo(1 << 10),
                summary: "Lets those who have its link hear a clip of one's own"
            ) { _, context in
                let clip = try await own(context)
                guard try await desk.library.share(clip.id) else { throw Problem.recordNotFound }
                return .json { json in
                    json.field("page", desk.links.page(clip.id))
                    json.field("audio", desk.links.audio(clip.id))
                }
            },
            .api(
                .get, "/api/hub/v1/clips/:id", .signedIn, scope: "read:media", summary: "Describes a clip of one's own"
            ) { _, context in
                let clip = try await own(context)
                return .json { json in
                    json.field("id", clip.id.text)
                    json.field("title", clip.title)
                    json.field("bytes", Int(clip.bytes))
                    json.field("sha256", clip.sha256)
                    json.field("seconds", seconds: clip.sound?.seconds)
                    json.field("shared", clip.shared)
                    json.field("created", clip.created)
                    json.field("expires", clip.expires)
                    json.field("page", desk.links.page(clip.id))
                    json.field("audio", desk.links.audio(clip.id))
                }
            },
            .api(
                .delete, "/api/hub/v1/clips/:id", .signedIn, scope: "write:media",
                summary: "Removes a clip of one's own and the posts about it"
            ) { _, context in
                try await desk.library.remove(try await own(context).id)
                return Response(status: .noContent)
            },
        ]
    }

    /// The clip that the path names, if it is the asker's.
    ///
    /// - Throws: 404, also for somebody else's; 410 for what is gone.
    private func own(_ context: WebContext) async throws -> HubClip {
        let reader = desk.reader(context)
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw Problem.recordNotFound }
        if let clip = try await reader.ownClip(id) { return clip }
        guard case .gone = try await reader.clip(id) else { throw Problem.recordNotFound }
        throw Problem(.gone, "gone", "This clip is gone")
    }
}
