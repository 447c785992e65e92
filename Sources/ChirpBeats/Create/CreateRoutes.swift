internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// Offering a track, and changing one: forms for people, and the same for programs (AR-2).
struct CreateRoutes {
    let desk: BeatDesk

    private var files: TrackFiles { TrackFiles(desk: desk) }

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get("\(BeatDesk.path)/new", .active) { request, context in
                let offers = try await offers(context)
                guard let kind = offers.first else { return desk.desk.goOn(to: "\(BeatDesk.path)/role") }
                let asked = request.asked["kind"].flatMap(Track.Kind.init)
                return try await page(.new, TrackForm(asked ?? (offers.count == 1 ? kind : nil)), request, context)
            },
            .post("\(BeatDesk.path)/new", .active, files: TrackFiles.inForm, upTo: TrackFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request) { try await offer(request, context, sent) }
            },
            .get("\(BeatDesk.path)/:id/edit", .active) { request, context in
                try await desk.answering(request) {
                    let track = try await editable(context)
                    return try await page(.change(track), TrackForm(track), request, context)
                }
            },
            .post("\(BeatDesk.path)/:id/edit", .active, files: TrackFiles.inForm, upTo: TrackFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request) { try await change(request, context, sent) }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .post, BeatDesk.api, .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Offers a track: it appears when what was sent is ready",
                takes: [.text("kind", "beat or open"), .text("master", "the id of an upload with use=track")]
                    + Self.taken, gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let form = try await sent(request)
                    let reading = form.read(at: desk.now)
                    guard let draft = reading.draft else { throw TrackRefusal.fields(reading.faults) }
                    try await desk.consume("beat-offering", BeatDesk.Rate.offering, context)
                    let id = try await desk.tracks.create(draft, by: try context.account, key: "api:\(form.key)")
                    return try await document(id, context, status: .created)
                }
            },
            .api(
                .put, "\(BeatDesk.api)/:id", .active, scope: ["read:statuses", "write:statuses"],
                body: .upTo(Form.mostBytes),
                summary: "Puts other words, another price or another cover in those of a track",
                takes: [.text("master", isRequired: false, "in the place of one that was refused")] + Self.taken
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    var form = try await sent(request)
                    form[.kind] = track.kind.rawValue
                    let reading = form.read(at: desk.now)
                    guard let draft = reading.draft else { throw TrackRefusal.fields(reading.faults) }
                    try await desk.tracks.edit(track.id, version: form.version, to: draft, by: try context.account)
                    return try await document(track.id, context)
                }
            },
            .api(
                .post, "\(BeatDesk.api)/covers", .active, scope: "write:media",
                body: .upload(upTo: TrackFiles.mostCoverBytes), summary: "Takes in the cover of a track", gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let file = try await context.receive(request, upTo: TrackFiles.mostCoverBytes)
                    let id = try await files.cover(file, context)
                    return try .json(FileDocument(id: id.text), status: .created).personal
                }
            },
        ]
    }

    private struct FileDocument: Encodable { let id: String }

    /// What programs send; the same names as in the forms.
    private static let taken: [WebField] = [
        .text("title"), .text("text", isRequired: false), .text("language", isRequired: false),
        .list("tags", "at most ten"), .text("price", isRequired: false, "amount, free or offer"),
        .text("amount", isRequired: false, "as in 12.50"),
        .text("currency", isRequired: false, "EUR, USD, GBP, CHF or JPY"),
        .text("picture", isRequired: false, "the id of one's own picture"),
        .text("until", isRequired: false, "ISO 8601: when the shop lets it go"),
        .text("versionOf", isRequired: false, "the id of one's own track"), .text("versionName", isRequired: false),
        .flag("draft"), .text("key", isRequired: false, "the same for each try"),
        .number("version", "of what was changed"),
    ]

    private func sent(_ request: Request) async throws -> TrackForm {
        let fields = try await request.fields()
        var form = TrackForm(one: { fields[$0] ?? "" }, list: { fields.list($0) })
        if let key = request.headers[.idempotencyKey] { form.key = String(key.prefix(64)) }
        return form
    }

    private func document(
        _ id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard case .track(let track) = try await desk.tracks.track(id, for: context.viewer) else {
            throw Problem.noTrack
        }
        return try await desk.document(track, context, status: status)
    }

    // MARK: by people

    private func offers(_ context: WebContext) async throws -> [Track.Kind] {
        let roles = try await desk.roles.roles(of: try context.account)
        return Track.Kind.allCases.filter { kind in roles.contains { $0.offers == kind } }
    }

    private func editable(_ context: WebContext) async throws -> Track {
        let track = try await desk.ownTrack(context)
        guard track.item.state == .open || track.item.state == .draft else {
            throw TrackRefusal.item(.state(track.item.state))
        }
        guard !track.item.isFrozen else { throw TrackRefusal.item(.frozen) }
        return track
    }

    private func offer(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        var form = Self.form(sent)
        let faults = try await files.add(sent, to: &form, context)
        return try await again(.new, form, faults, request, context) { draft in
            guard draft.master != nil else { throw TrackRefusal.fields([.track: .missing]) }
            try await desk.consume("beat-offering", BeatDesk.Rate.offering, context)
            return try await desk.tracks.create(draft, by: try context.account, key: "form:\(form.key)")
        }
    }

    private func change(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let track = try await editable(context)
        var form = Self.form(sent)
        form[.kind] = track.kind.rawValue
        let faults = try await files.add(sent, to: &form, context)
        return try await again(.change(track), form, faults, request, context) { draft in
            try await desk.tracks.edit(track.id, version: form.version, to: draft, by: try context.account)
            return track.id
        }
    }

    private static func form(_ sent: FileForm) -> TrackForm {
        TrackForm(one: { sent.fields[$0] }, list: { sent.fields.list($0) })
    }

    /// Does it, or shows the form again with everything that was typed and what is wrong with it.
    private func again(
        _ kind: TrackFormPage.Kind, _ form: TrackForm, _ files: [TrackField: TrackFault], _ request: Request,
        _ context: WebContext, _ act: (TrackDraft) async throws -> HubID
    ) async throws -> Response {
        var reading = form.read(at: desk.now)
        reading.faults.merge(files) { _, file in file }
        var problem: TrackRefusal?
        if reading.faults.isEmpty, let draft = reading.draft {
            do { return desk.desk.goOn(to: Track.path(try await act(draft))) } catch let refusal as TrackRefusal
                where refusal.status != .notFound && refusal.status != .gone
            {
                problem = refusal
                reading.faults = refusal.faults
            }
        }
        var answer = try await page(
            kind, form, request, context, reading: reading, problem: problem?.sentence,
            status: problem?.status ?? .unprocessableContent)
        if let seconds = problem?.wait { answer.headers[.retryAfter] = "\(seconds)" }
        return answer
    }

    /// So many of her own tracks stand in the list of those that this may be a version of.
    private static let mostOthers = 100

    private func page(
        _ kind: TrackFormPage.Kind, _ form: TrackForm, _ request: Request, _ context: WebContext,
        reading: TrackForm.Reading = .init(), problem: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var query = ItemQuery(board: Beats.board)
        query.author = try context.account
        query.states = [.open, .draft]
        query.limit = Self.mostOthers
        var others = try await desk.tracks.tracks(query, for: context.viewer).found
        if case .change(let track) = kind { others.removeAll { $0.id == track.id || $0.work == track.work } }
        let offers = try await offers(context)
        return desk.show(request, context, status: status) { token in
            TrackFormPage(
                kind: kind, form: form, reading: reading, problem: problem, others: others, offers: offers,
                takesPictures: desk.desk.takePicture != nil, tracks: desk.desk.tracks, layout: desk.layout(token),
                links: desk.links
            ).html
        }
    }
}
