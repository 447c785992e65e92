internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Where the author of a track says that its previews tell whose they are, and asks whose copy a recording is. Nobody else finds it.
struct CopyRoutes {
    let desk: BeatDesk

    private static let files = [FileForm.Files("copy", mostBytes: TrackFiles.mostFormBytes)]

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get("\(BeatDesk.path)/:id/copies", .active) { request, context in
                try await desk.answering(request) { try await page(try await track(context), request, context) }
            },
            .post("\(BeatDesk.path)/:id/copies/tag", .active) { request, context, form in
                try await desk.answering(request) {
                    let track = try await track(context)
                    try await set(!form["on"].isEmpty, track, context)
                    return desk.desk.goOn(to: "\(track.path)/copies")
                }
            },
            .post("\(BeatDesk.path)/:id/copies", .active, files: Self.files, upTo: TrackFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request) {
                    let track = try await track(context)
                    guard let copy = sent.files("copy").first else {
                        return try await page(track, request, context, problem: word("beat.fault.missing"))
                    }
                    do {
                        let found = try await find(copy, track, context)
                        return try await page(track, request, context, found: found)
                    } catch let failure as ListenerTagging.Failure {
                        return try await page(track, request, context, problem: failure.sentence)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, "\(BeatDesk.api)/:id/copies", .active, scope: "read:statuses",
                summary: "Whether the previews of one's own track tell whose they are"
            ) { request, context in
                try await desk.answering(request) {
                    try await document(try await track(context), context)
                }
            },
            .api(
                .put, "\(BeatDesk.api)/:id/copies", .active, scope: "write:statuses",
                summary: "Says whether the previews of one's own track tell whose they are",
                takes: [.flag("on", isRequired: true)]
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await track(context)
                    try await set(try await request.fields().bool("on") == true, track, context)
                    return try await document(track, context)
                }
            },
            .api(
                .post, "\(BeatDesk.api)/:id/copies", .active, scope: ["read:statuses", "write:media"],
                body: .upload(upTo: TrackFiles.mostFormBytes),
                summary: "Asks whose copy of a preview of one's own track a recording is: its bytes are the body"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await track(context)
                    let copy = try await context.receive(request, upTo: TrackFiles.mostFormBytes)
                    do {
                        return try .json(FindingsDocument(try await find(copy, track, context))).personal
                    } catch let failure as ListenerTagging.Failure {
                        throw failure.problem
                    }
                }
            },
        ]
    }

    /// One's own, at a hub that makes such previews.
    private func track(_ context: WebContext) async throws -> Track {
        let track = try await desk.ownTrack(context)
        guard desk.makesOwnPreviews else { throw Problem.noTrack }
        return track
    }

    private func set(_ isOn: Bool, _ track: Track, _ context: WebContext) async throws {
        try await desk.tracks.setTag(isOn, of: track.id, by: try context.account)
        await desk.errand.arise()
    }

    private func find(_ copy: SentFile, _ track: Track, _ context: WebContext) async throws -> CopyFindings {
        guard let tracks = desk.desk.tracks, let tagging = tracks.tagging else { throw Problem.noTrack }
        try await desk.consume("beat-copy", BeatDesk.Rate.copies, context)
        return try await desk.tracks.owner(
            ofCopy: copy, of: track.id, by: try context.account, tagging: tagging)
    }

    private func page(
        _ track: Track, _ request: Request, _ context: WebContext, found: CopyFindings? = nil, problem: String? = nil
    ) async throws -> Response {
        let tag = try await desk.tracks.tag(of: track.id)
        return desk.show(request, context, status: problem == nil ? .ok : .unprocessableContent) { token in
            CopyPage(
                track: track, tag: tag, found: found, problem: problem, token: token ?? "",
                layout: desk.layout(token), links: desk.links
            ).html
        }
    }

    // MARK: for programs

    private struct TagDocument: Encodable {
        let on: Bool
        /// `none`, `waiting`, `ready` or `failed`.
        let state: String
        let listeners: Int
    }

    private func document(_ track: Track, _ context: WebContext) async throws -> Response {
        let tag = try await desk.tracks.tag(of: track.id)
        let document = TagDocument(
            on: tag?.isOn ?? false, state: tag?.state.rawValue ?? "none", listeners: tag?.listeners ?? 0)
        return desk.answer(try .json(document), context)
    }

    private struct FindingsDocument: Encodable {
        /// `other-track`, `unknown`, `everybody` or `listener`.
        let owner: String
        let handle, name: String?
        /// In seconds of the track.
        let from, to: Double?
        let speed, confidence: Double
        let heard, agreeing: Int

        init(_ found: CopyFindings) {
            var person: PostAuthor?
            switch found.owner {
            case .otherTrack: owner = "other-track"
            case .unknown: owner = "unknown"
            case .everybody: owner = "everybody"
            case .listener(let somebody): (owner, person) = ("listener", somebody)
            }
            (handle, name) = (person?.handle, person?.name)
            (from, to) = (found.part?.lowerBound, found.part?.upperBound)
            (speed, confidence) = (found.speed, found.confidence)
            (heard, agreeing) = (found.heard, found.agreeing)
        }
    }
}

extension ListenerTagging.Failure {
    /// For who has sent a recording, without its full stop.
    fileprivate var sentence: String {
        switch self {
        case .refused(let why): why
        case .died: word("beat.copy.died")
        case .notNow, .unable: word("beat.copy.later")
        }
    }

    fileprivate var problem: Problem {
        switch self {
        case .refused(let why): Problem(.unprocessableContent, "unusable", PlainText(why, limit: 200).value)
        case .died: Problem(.unprocessableContent, "unusable", "What was sent cannot be listened to")
        case .notNow, .unable: Problem(.serviceUnavailable, "not-now", "It cannot be listened to at the moment")
        }
    }
}
