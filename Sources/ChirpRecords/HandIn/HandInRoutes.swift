internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMusic
internal import ChirpWeb
internal import Hummingbird

/// Trying a challenge and handing the attempt in: a page, its tones, and the same for programs.
struct HandInRoutes {
    let desk: RecordDesk

    private var handIn: HandIn { HandIn(desk: desk) }

    /// How often the voice is asked for somebody.
    private static let speech = RateRule(60, per: 3600)

    private static let path = RecordDesk.path
    private static let api = RecordDesk.api

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get("\(Self.path)/tries/:try/:tones", .active) { try await tones($0, $1) },
            .get("\(Self.path)/:id/try", .active) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    return try await page(challenge, request, context)
                }
            },
            .post("\(Self.path)/:id/try", .active, files: HandIn.files, upTo: HandIn.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    let account = try context.account
                    var form = HandInForm { sent.fields[$0] }
                    do {
                        let faults = try await handIn.add(sent, to: &form, title: challenge.item.title, of: account)
                        let attempt = try await handIn.take(form, at: challenge, by: account, faults: faults)
                        return desk.goOn(to: "\(Self.path)/attempts/\(attempt)")
                    } catch let problem as AttemptProblem where problem.status != .notFound {
                        return try await page(challenge, request, context, form, problem)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .post, "\(Self.api)/:id/tries", .active, scope: "write:statuses",
                summary: "Gives a code for an attempt, with its tones: the same until it is used or over",
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    let code = try await handIn.codes.issue(for: challenge.rule.id, to: context.account)
                    var json = JSONText()
                    json.object { json in
                        json.field("id", code.id.text)
                        json.field("code", code.code.description)
                        json.field("made", code.made)
                        json.field("expires", code.expires)
                        json.field("start", "\(desk.links.publicURL)\(Self.path)/tries/\(code.id)/start.wav")
                        if desk.spokenCodes != nil {
                            json.field(
                                "spoken", "\(desk.links.publicURL)\(Self.path)/tries/\(code.id)/\(Self.spoken).wav")
                        }
                        json.field("stop", "\(desk.links.publicURL)\(Self.path)/tries/\(code.id)/stop.wav")
                        json.field("version", challenge.rule.version)
                    }
                    return .json(json, status: .created).personal
                }
            },
            .api(
                .post, "\(Self.api)/:id/attempts", .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Hands an attempt in, once for its key",
                takes: [
                    .text("score", "as in 1:02.35 or 12.5 m"),
                    .text("key", "the same for each try to hand in the same"),
                    .number("version", isRequired: true, "of the rule, as it was read"),
                    .text("done", isRequired: false, "ISO 8601; else now"), .text("text", isRequired: false),
                    .text("clip", isRequired: false, "the id of one's own clip"),
                    .text("film", isRequired: false, "the id of one's own video"),
                    .text("picture", isRequired: false, "the id of one's own picture"),
                    .text("code", isRequired: false, "the id of the try that it was made with"),
                    .text("place", isRequired: false, "the name of a town"),
                    .text("at", isRequired: false, "latitude and longitude"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    let sent = try await request.fields()
                    let form = HandInForm { sent[$0] ?? "" }
                    // A key that was made here would make each try another one.
                    guard sent["key"]?.isEmpty == false else {
                        throw AttemptProblem(refusal: .fields([.key: .missing]))
                    }
                    let id = try await handIn.take(form, at: challenge, by: context.account)
                    return try await AttemptRoutes(desk: desk).document(id, context, status: .created)
                }
            },
        ]
    }

    /// The name of the code that is read aloud, beside those of ``TryTones``.
    private static let spoken = "code"

    /// For the person whose code it is, as long as it is good; others find nothing.
    private func tones(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = context.parameters.get("try").flatMap({ HubID($0) }),
            let name = context.parameters.get("tones"), name.hasSuffix(".wav"),
            let code = try await handIn.codes.code(id, of: context.account)
        else { throw HTTPError(.notFound) }
        let title = String(name.dropLast(4))
        let bytes: [UInt8]?
        if title == Self.spoken {
            bytes = try await desk.spokenCodes?.wav(code.code) {
                try await desk.desk.consume(
                    "attempt-voice", Self.speech, by: .account(try context.account),
                    told: word("attempt.refused.often"))
            }
        } else {
            guard let tones = TryTones(rawValue: title) else { throw HTTPError(.notFound) }
            bytes = await offPool { tones.wav(code.code) }
        }
        guard let bytes else { throw HTTPError(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "audio/wav", .cacheControl: "private, max-age=3600",
                .contentDisposition: "inline; filename=\"chirp-\(title).wav\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// - Parameters:
    ///   - form: what was typed; nil: nothing yet.
    ///   - problem: why it was not taken.
    private func page(
        _ challenge: Challenge, _ request: Request, _ context: WebContext, _ form: HandInForm? = nil,
        _ problem: AttemptProblem? = nil
    ) async throws -> Response {
        let account = try context.account
        let isOpen = challenge.item.state == .open
        let code = isOpen ? try await handIn.codes.issue(for: challenge.rule.id, to: account) : nil
        let form = form ?? HandInForm(version: challenge.rule.version, code: code?.id)
        let open = try await desk.attempts.open(at: challenge.rule.id, by: account)
        let now = desk.desk.library.now()
        return desk.show(request, context, status: problem?.status ?? .ok) { token in
            TryPage(
                challenge: challenge, code: code, form: form, problem: problem, open: open, now: now,
                takesFilms: desk.desk.takeFilm != nil, isSpoken: desk.spokenCodes != nil, token: token,
                person: account.rawValue, links: desk.links
            ).html
        }
    }
}
