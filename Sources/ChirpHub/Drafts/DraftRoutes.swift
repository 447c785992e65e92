internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Drafts by the hub's own API: what the page `/record` asks for, and any program that records.
struct DraftRoutes {
    let desk: DraftDesk

    private static let path = "/api/hub/v1/drafts"
    private static let described: [WebField] = [
        .text("title", isRequired: false, "of the clip"), .text("text", isRequired: false, "words of the post"),
        .number("from", "where the clip begins, in seconds of the recording; null: where sound does"),
        .number("to", "where it ends; null: where sound does"),
    ]

    var routes: [WebRoute] {
        let one = "\(Self.path)/:draft"
        return [
            .api(
                .get, Self.path, .signedIn, scope: "read:media",
                summary: "Lists one's newest recordings that are not published, 100 at most"
            ) {
                _, context in
                let drafts = try await desk.library.drafts(of: try context.account)
                var sizes: [HubID: Int64] = [:]
                for draft in drafts { sizes[draft.id] = await desk.library.recorded(draft) }
                return .json { json in
                    json.field("drafts") { json in
                        json.array(drafts) { json, draft in
                            document(draft, sizes[draft.id] ?? 0).write(&json)
                        }
                    }
                }
            },
            .api(.get, one, .signedIn, scope: "read:media", summary: "Tells how far a draft is") { _, context in
                try await answer(try await desk.draft(context))
            },
            .api(
                .get, "\(one)/clip.mp3", .signedIn, scope: "read:media", summary: "The sound of a draft's clip",
                givesType: "audio/mpeg"
            ) { request, context in try await sound(of: try await desk.draft(context), to: request) },
            .api(
                .put, one, .active, scope: "write:media", body: .upTo(DraftFields.mostBytes),
                summary: "Changes a draft; another title or part makes its clip anew", takes: Self.described
            ) { request, context in
                let draft = try await desk.draft(context)
                return try await answer(try await desk.change(draft, try await DraftFields(request)))
            },
            .api(
                .post, "\(one)/publication", .active, scope: "write:statuses", body: .upTo(DraftFields.mostBytes),
                summary: "Publishes a draft, once; 202 while its clip is still being made",
                takes: Self.described + [
                    .text("visibility", isRequired: false, "public, unlisted or followers"),
                    .text("language", isRequired: false, "as in BCP 47"),
                    .text("transcript", isRequired: false, "what is said"),
                    .text("answers", isRequired: false, "the id of the post that it answers"),
                    .list("onward", "of the owner's: mastodon, x"),
                ]
            ) { request, context in
                switch try await desk.publish(request, context) {
                case .published(let published): try await answer(published)
                case .making(let draft): try await answer(draft, status: .accepted)
                }
            },
            .api(
                .delete, one, .signedIn, scope: "write:media", summary: "Deletes a draft and its recording", gives: 204
            ) {
                _, context in
                let draft = try await desk.draft(context)
                guard try await desk.library.removeDraft(draft.id, of: draft.owner) else { throw DraftDesk.nothing }
                // What is made for it ends.
                desk.uploads.work.drop(draft.id)
                return Response(status: .noContent)
            },
        ]
    }

    private func document(_ draft: HubDraft, _ bytes: Int64) -> DraftDocument {
        DraftDocument(draft: draft, bytes: bytes, prefix: desk.links.prefix)
    }

    private func answer(_ draft: HubDraft, status: HTTPResponse.Status = .ok) async throws -> Response {
        var json = JSONText()
        document(draft, await desk.library.recorded(draft)).write(&json)
        return .json(json, status: status)
    }

    private func answer(_ published: HubDraft.Published) async throws -> Response {
        let onward = try await desk.library.onward(of: published.post)
        return .json { json in
            json.field("clip", published.clip.text)
            json.field("page", "\(desk.links.prefix)/c/\(published.clip)")
            json.field("post", published.post)
            json.field("text", published.text)
            json.field("onward") { $0.array(onward) { $1.write(&$0) } }
        }
    }

    /// For nobody else's page, and for no one's memory: the next wish has other bytes.
    private func sound(of draft: HubDraft, to request: Request) async throws -> Response {
        guard let made = draft.made else { throw DraftDesk.nothing }
        let clip = HubClip(
            id: draft.take, title: draft.wish.title, fileName: "draft.mp3", contentType: "audio/mpeg",
            bytes: made.bytes, sha256: made.sha256, sound: made.sound, created: draft.created, expires: nil,
            shared: false)
        let reader = desk.library.seen(by: .member(draft.owner))
        return try await ClipSound(clip, reader: reader, for: .asker).send(to: request)
    }
}
