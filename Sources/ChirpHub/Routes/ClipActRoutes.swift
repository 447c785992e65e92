internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What somebody does with a clip of her own: removes it, writes down what is said in it.
struct ClipActRoutes {
    let desk: PageDesk

    var routes: [WebRoute] {
        [
            .get("/c/:id/delete", .signedIn) { request, context in
                let clip = try await desk.ownClip(context)
                let page = "/c/\(clip.id.text)"
                return desk.forgery.page(request) { token in
                    .page(
                        ConfirmPage(
                            title: word("clip.delete.title"),
                            text: .word("clip.delete.text", ["title": "<b dir=\"auto\">\(clip.shownTitle)</b>"]),
                            action: "\(page)/delete", back: page, token: token, links: desk.links
                        ).html
                    ).uncached
                }
            },
            .post("/c/:id/delete", .signedIn) { _, context, _ in
                try await desk.library.remove(try await desk.ownClip(context).id)
                return desk.goOn(to: "/")
            },
            .get("/c/:id/transcript", .signedIn) { request, context in
                let clip = try await desk.ownClip(context)
                let now = try await desk.reader(context).transcript(of: clip.id)
                return page(clip, now?.text ?? "", now?.language ?? "", request)
            },
            .post("/c/:id/transcript", .active) { request, context, form in
                let clip = try await desk.ownClip(context)
                let (text, language) = (form["transcript"], PlainText(form["language"], limit: 35).value)
                let draft: TranscriptDraft
                do throws(TranscriptDraft.Refusal) { draft = try TranscriptDraft(text, language: language) } catch {
                    return page(clip, text, language, request, refused: error)
                }
                guard try await desk.library.setTranscript(draft, of: clip.id, by: context.account) else {
                    throw HTTPError(.notFound)
                }
                return desk.goOn(to: "/c/\(clip.id.text)#transcript")
            },
            .api(
                .get, "/api/hub/v1/clips/:id/transcript", .everybody, scope: "read:statuses",
                summary: "Reads what is said in a clip"
            ) { _, context in
                let reader = desk.reader(context)
                guard let id = context.parameters.get("id").flatMap({ HubID($0) }),
                    case .clip(let clip) = try await reader.page(of: id).found,
                    let transcript = try await reader.transcript(of: clip.id)
                else { throw Problem.recordNotFound }
                return answer(transcript)
            },
            .api(
                .put, "/api/hub/v1/clips/:id/transcript", .active, scope: "write:media",
                body: .upTo(2 * TranscriptDraft.mostBytes),
                summary: "Writes down what is said in a clip of one's own: plain words, or WebVTT; nothing removes it",
                takes: [.text("text"), .text("language", isRequired: false)]
            ) { request, context in
                let fields = try await request.fields(upTo: 2 * TranscriptDraft.mostBytes)
                let account = try context.account
                guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else {
                    throw Problem.recordNotFound
                }
                let draft: TranscriptDraft
                do throws(TranscriptDraft.Refusal) {
                    draft = try TranscriptDraft(fields["text"] ?? "", language: fields["language"] ?? "")
                } catch {
                    throw error.problem
                }
                return try await put(draft, id, account, context)
            },
        ]
    }

    private func put(
        _ draft: TranscriptDraft, _ id: HubID, _ account: AccountID, _ context: WebContext
    ) async throws -> Response {
        guard try await desk.library.setTranscript(draft, of: id, by: account) else { throw Problem.recordNotFound }
        guard let transcript = try await desk.reader(context).transcript(of: id) else {
            return Response(status: .noContent)
        }
        return answer(transcript)
    }

    private func answer(_ transcript: ClipTranscript) -> Response {
        .json { json in
            json.field("language", transcript.language)
            json.field("type", transcript.type)
            json.field("text", transcript.text)
            json.field("source", transcript.source.rawValue)
            json.field("changed", transcript.changed)
            json.field("url", "\(desk.links.publicURL)\(transcript.path)")
        }
    }

    private func page(
        _ clip: HubClip, _ text: String, _ language: String, _ request: Request,
        refused: TranscriptDraft.Refusal? = nil
    ) -> Response {
        desk.forgery.page(request) { token in
            var page = TranscriptPage(
                clip: clip, title: clip.shownTitle, text: text, language: language, token: token, links: desk.links)
            page.problem = refused.map { ($0.field, $0.sentence) }
            return .page(page.html, status: refused == nil ? .ok : .unprocessableContent).uncached
        }
    }
}

extension TranscriptDraft.Refusal {
    fileprivate var field: String { self == .noLanguage ? "language" : "transcript" }

    fileprivate var sentence: String {
        switch self {
        case .tooLong: word("transcript.long")
        case .notTimedText: word("transcript.wrong")
        case .noLanguage: word("transcript.language.wrong")
        }
    }

    fileprivate var problem: Problem {
        switch self {
        case .tooLong: Problem(.contentTooLarge, "too-long", "The transcript is too long")
        case .notTimedText: .refused("The text begins as WebVTT and is none", field: "text")
        case .noLanguage: .refused("Language is no tag of BCP 47", field: "language")
        }
    }
}
