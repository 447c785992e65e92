internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Asking a producer for a beat, from her profile or from a track that it is to be like (AR-6).
struct AskRoutes {
    let desk: BeatDesk
    let deals: DealDesk

    private static let page = "\(BeatDesk.path)/ask/:handle"
    /// Bytes of what is sung or said.
    private static let mostClipBytes = 25 << 20

    var routes: [WebRoute] {
        [
            .get(Self.page, .active) { request, context in
                try await desk.answering(request) {
                    try await form(
                        try await producer(context), request.asked["like"] ?? "", "", HubID().text, request, context)
                }
            },
            .post(
                Self.page, .active, files: [FileForm.Files("voice", mostBytes: Self.mostClipBytes)],
                upTo: Self.mostClipBytes + 2 * Form.mostBytes
            ) { request, context, sent in
                try await desk.answering(request) {
                    let producer = try await producer(context)
                    let fields = sent.fields
                    do {
                        let clip = try await clip(sent.files("voice").first, producer, context)
                        let id = try await ask(
                            producer, fields["words"], clip: clip, like: fields["like"],
                            key: "form:\(fields["key"])", context)
                        return desk.desk.goOn(to: RequestSight.path(id))
                    } catch let refusal as RequestRefusal
                        where refusal.status.kind == .clientError && refusal.status != .notFound
                    {
                        return try await form(
                            producer, fields["like"], fields["words"], fields["key"], request, context, refusal)
                    }
                }
            },
            .api(
                .post, "\(BeatDesk.api)/requests", .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Asks a producer for a beat; the same key again asks nothing more",
                takes: [
                    .text("producer", "her handle"), .text("words", isRequired: false),
                    .text("clip", isRequired: false, "the id of one's own clip"),
                    .text("like", isRequired: false, "the id of a track"),
                    .text("key", isRequired: false, "the same for each try"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let sent = try await request.fields()
                    let producer = try await person(sent["producer"] ?? "", context)
                    let typed = sent["clip"] ?? ""
                    let clip = HubID(typed)
                    guard typed.isEmpty || clip != nil else { throw RequestRefusal.notYours }
                    let id = try await ask(
                        producer, sent["words"] ?? "", clip: clip, like: sent["like"] ?? "",
                        key: request.headers[.idempotencyKey] ?? sent["key"] ?? HubID().text, context)
                    let sight = try await deals.sight(of: id, for: try context.account, tracks: desk.tracks)
                    var text = JSONText()
                    text.object { sight.write(&$0) }
                    return .json(text, status: .created).personal
                }
            },
        ]
    }

    // MARK: the act itself

    private func producer(_ context: WebContext) async throws -> PostAuthor {
        try await person(context.parameters.get("handle") ?? "", context)
    }

    private func person(_ handle: String, _ context: WebContext) async throws -> PostAuthor {
        guard let person = try await desk.desk.library.seen(by: context.viewer).person(named: handle) else {
            throw RequestRefusal.notFound
        }
        guard try await desk.roles.roles(of: person.id).contains(.producer) else { throw RequestRefusal.notProducer }
        return person
    }

    private func ask(
        _ producer: PostAuthor, _ words: String, clip: HubID?, like: String, key: String, _ context: WebContext
    ) async throws -> HubID {
        let reference = HubID(like)
        guard like.isEmpty || reference != nil else { throw RequestRefusal.notFound }
        return try await deals.requests.ask(
            RequestDraft(to: producer.id, words: words, clip: clip, reference: reference, key: key),
            by: try context.account)
    }

    private func clip(_ voice: SentFile?, _ producer: PostAuthor, _ context: WebContext) async throws -> HubID? {
        guard let voice else { return nil }
        guard let take = desk.desk.takeClip else { throw RequestRefusal.notYours }
        try await desk.consume("beat-file", BeatDesk.Rate.files, context)
        do { return try await take(voice, word("deal.request.clip"), try context.account) } catch {
            // What is no sound is told beside the form; the rest is not the sender's fault.
            if error is CancellationError { throw error }
            throw RequestRefusal.notYours
        }
    }

    private func form(
        _ producer: PostAuthor, _ like: String, _ words: String, _ key: String, _ request: Request,
        _ context: WebContext, _ refusal: RequestRefusal? = nil
    ) async throws -> Response {
        var reference: Track?
        if let id = HubID(like), case .track(let track) = try await desk.tracks.track(id, for: context.viewer) {
            reference = track
        }
        return desk.show(request, context, status: refusal?.status ?? .ok) { [reference] token in
            AskPage(
                producer: producer, reference: reference, words: words, key: key,
                takesClips: desk.desk.takeClip != nil, problem: refusal?.sentence, layout: desk.layout(token),
                links: desk.links
            ).html
        }
    }
}
