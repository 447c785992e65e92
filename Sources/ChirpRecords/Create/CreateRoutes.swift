internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// Setting a challenge, and changing its text or its rule: forms for people, and the same for programs (OU-4, OU-16).
struct CreateRoutes {
    let desk: RecordDesk

    private var files: ChallengeFiles { ChallengeFiles(desk: desk) }

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            .get("\(RecordDesk.path)/new", .active) { request, context in
                guard let template = request.asked["template"].flatMap(RuleTemplate.init) else {
                    return desk.show(request, context) { TemplatePage(token: $0 ?? "", links: desk.links).html }
                }
                return page(.new, ChallengeForm(template), request, context)
            },
            .post("\(RecordDesk.path)/new", .active, files: ChallengeFiles.inForm, upTo: ChallengeFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request, context) { try await set(request, context, sent) }
            },
            .get("\(RecordDesk.path)/:id/edit", .active) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await editable(context)
                    return page(.text(challenge), ChallengeForm(challenge), request, context)
                }
            },
            .post(
                "\(RecordDesk.path)/:id/edit", .active, files: ChallengeFiles.inForm,
                upTo: ChallengeFiles.mostFormBytes
            ) { request, context, sent in
                try await desk.answering(request, context) { try await edit(request, context, sent) }
            },
            .get("\(RecordDesk.path)/:id/rule", .active) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await editable(context)
                    try check(challenge, context)
                    var form = ChallengeForm(challenge)
                    form.version = challenge.rule.version
                    return page(.rule(challenge), form, request, context)
                }
            },
            .post(
                "\(RecordDesk.path)/:id/rule", .active, files: ChallengeFiles.inForm,
                upTo: ChallengeFiles.mostFormBytes
            ) { request, context, sent in
                try await desk.answering(request, context) { try await change(request, context, sent) }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .post, RecordDesk.api, .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Sets a challenge", takes: Self.text + Self.rule, gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let (form, account) = (try await sent(request), try context.account)
                    let reading = try await form.read(at: desk.now, in: desk.desk.gazetteer)
                    guard let draft = reading.draft, let terms = reading.terms else { throw Self.refusal(reading) }
                    try await desk.consume("challenge-setting", RecordDesk.Rate.setting, account)
                    let id = try await desk.challenges.create(draft, terms, by: account, key: "api:\(form.key)")
                    return try await document(of: id, context, status: .created)
                }
            },
            .api(
                .put, "\(RecordDesk.api)/:id", .active, scope: ["read:statuses", "write:statuses"],
                body: .upTo(Form.mostBytes),
                summary: "Puts another text, other pictures or another place in those of an open challenge's",
                takes: Self.text
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await editable(context)
                    let form = try await sent(request)
                    let reading = try await form.readDraft(challenge.rule.terms.place, in: desk.desk.gazetteer)
                    guard let draft = reading.draft else { throw Self.refusal(reading) }
                    try await desk.challenges.edit(
                        challenge.id, version: form.version, to: draft, by: try context.account)
                    return try await document(of: challenge.id, context)
                }
            },
            .api(
                .put, "\(RecordDesk.api)/:id/rule", .active, scope: ["read:statuses", "write:statuses"],
                body: .upTo(Form.mostBytes),
                summary: "Puts another rule in the place of a challenge's that nobody has tried: a new version",
                takes: Self.rule
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await editable(context)
                    let form = try await sent(request, base: challenge.rule.terms)
                    let reading = form.readTerms(at: desk.now)
                    guard let terms = reading.terms else { throw Self.refusal(reading) }
                    try await desk.challenges.change(
                        challenge.id, version: form.version ?? challenge.rule.version, to: terms,
                        by: try context.account)
                    return try await document(of: challenge.id, context)
                }
            },
            .api(
                .post, "\(RecordDesk.api)/pictures", .active, scope: "write:media",
                body: .upload(upTo: ChallengeFiles.mostPictureBytes), summary: "Takes in a picture for a challenge",
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await context.receive(request, upTo: ChallengeFiles.mostPictureBytes)
                    return try file(try await files.picture(sent, of: try context.account))
                }
            },
            .api(
                .post, "\(RecordDesk.api)/clips", .active, scope: "write:media",
                body: .upload(upTo: ChallengeFiles.mostClipBytes), summary: "Takes in what is said about a challenge",
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await context.receive(request, upTo: ChallengeFiles.mostClipBytes)
                    return try file(try await files.clip(sent, title: "", of: try context.account))
                }
            },
        ]
    }

    /// What programs send; the same names as in the forms.
    private static let text: [WebField] = [
        .text("title"), .text("category", "one of the categories"), .text("text", isRequired: false),
        .text("language", isRequired: false), .text("place", isRequired: false, "its name"),
        .text("at", isRequired: false, "latitude,longitude"),
        .text("precision", isRequired: false, "exact, near (within 300 m) or town"),
        .list("pictures", "at most six ids"), .text("clip", isRequired: false, "an id"),
        .text("key", isRequired: false, "the same for each try"), .number("version", "of what was changed"),
    ]
    private static let rule: [WebField] = [
        .text("template", isRequired: false, "what is in the place of what is left out"),
        .text("measure", isRequired: false, "time, count, length, weight, level or points"),
        .text("unit", isRequired: false, "s, x, mm, cm, m, km, g, kg, dB or pt"),
        .text("better", isRequired: false, "more or less"), .number("decimals", "places behind the point"),
        .text("low", isRequired: false, "the least that anybody believes"),
        .text("high", isRequired: false, "the most"),
        .text("step", isRequired: false, "what every score is a multiple of"),
        .list("needs", "picture, sound, video"), .text("invalid", isRequired: false, "what makes an attempt invalid"),
        .text("where", isRequired: false, "anywhere or here"),
        .text("begins", isRequired: false, "of an event, ISO 8601"), .text("ends", isRequired: false),
        .number("grace", "seconds after its end"),
    ]

    // MARK: by people

    private func set(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let account = try context.account
        var form = Self.form(sent)
        let faults = try await files.add(sent, to: &form, of: account)
        let reading = try await form.read(at: desk.now, in: desk.desk.gazetteer)
        return try await again(.new, form, reading, faults, request, context) {
            guard let draft = reading.draft, let terms = reading.terms else { return nil }
            try await desk.consume("challenge-setting", RecordDesk.Rate.setting, account)
            return try await desk.challenges.create(draft, terms, by: account, key: "form:\(form.key)")
        }
    }

    private func edit(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let challenge = try await editable(context)
        let account = try context.account
        var form = Self.form(sent)
        let faults = try await files.add(sent, to: &form, of: account)
        let reading = try await form.readDraft(challenge.rule.terms.place, in: desk.desk.gazetteer)
        return try await again(.text(challenge), form, reading, faults, request, context) {
            guard let draft = reading.draft else { return nil }
            try await desk.challenges.edit(challenge.id, version: form.version, to: draft, by: account)
            return challenge.id
        }
    }

    private func change(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let challenge = try await editable(context)
        let form = Self.form(sent)
        let reading = form.readTerms(at: desk.now)
        return try await again(.rule(challenge), form, reading, [:], request, context) {
            guard let terms = reading.terms else { return nil }
            try await desk.challenges.change(
                challenge.id, version: form.version ?? challenge.rule.version, to: terms, by: try context.account)
            return challenge.id
        }
    }

    private static func form(_ sent: FileForm) -> ChallengeForm {
        ChallengeForm(one: { sent.fields[$0] }, list: { sent.fields.list($0) })
    }

    /// Does it, or shows the form again with everything that was typed and what is wrong with it.
    private func again(
        _ kind: ChallengeFormPage.Kind, _ form: ChallengeForm, _ reading: ChallengeForm.Reading,
        _ files: [ChallengeField: ChallengeFault], _ request: Request, _ context: WebContext,
        _ act: () async throws -> HubID?
    ) async throws -> Response {
        var (form, reading) = (form, reading)
        form.look(at: reading.town)
        if form.isMapChange {
            // Only the map was moved: nothing is wrong yet.
            reading.faults = files
            return page(kind, form, request, context, reading: reading)
        }
        reading.faults.merge(files) { _, file in file }
        var problem: ChallengeRefusal?
        if reading.faults.isEmpty {
            do {
                if let id = try await act() { return desk.goOn(to: "\(RecordDesk.path)/\(id)") }
            } catch let refusal as ChallengeRefusal where refusal.status != .notFound && refusal.status != .gone {
                problem = refusal
                reading.faults = refusal.faults
            }
        }
        let status = problem?.status ?? .unprocessableContent
        var answer = page(
            kind, form, request, context, reading: reading, problem: problem?.sentence, status: status)
        if let seconds = problem?.wait { answer.headers[.retryAfter] = "\(seconds)" }
        return answer
    }

    private func page(
        _ kind: ChallengeFormPage.Kind, _ form: ChallengeForm, _ request: Request, _ context: WebContext,
        reading: ChallengeForm.Reading = .init(), problem: String? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        desk.show(request, context, status: status) { token in
            ChallengeFormPage(
                kind: kind, form: form, reading: reading, problem: problem, token: token ?? "",
                takesPictures: desk.desk.takePicture != nil, takesClips: desk.desk.takeClip != nil,
                ground: desk.ground, links: desk.links
            ).html
        }
    }

    /// The one that the path names, for who may change it, while it can be changed.
    private func editable(_ context: WebContext) async throws -> Challenge {
        let challenge = try await desk.manageable(context)
        guard challenge.item.state == .open || challenge.item.state == .draft else {
            throw ChallengeRefusal.item(.state(challenge.item.state))
        }
        guard !challenge.item.isFrozen else { throw ChallengeRefusal.item(.frozen) }
        return challenge
    }

    /// Nobody types a rule that is not taken then.
    private func check(_ challenge: Challenge, _ context: WebContext) throws {
        guard challenge.rule.attempts == 0 || context.isModerator else { throw ChallengeRefusal.attempted }
    }

    // MARK: by programs

    private func sent(_ request: Request, base: RuleTerms? = nil) async throws -> ChallengeForm {
        let fields = try await request.fields()
        var form = ChallengeForm(one: { fields[$0] ?? "" }, list: { fields.list($0) }, base: base)
        if let key = request.headers[.idempotencyKey] { form.key = String(key.prefix(64)) }
        return form
    }

    private static func refusal(_ reading: ChallengeForm.Reading) -> Problem {
        var fields: [String: String] = [:]
        for (field, fault) in reading.faults { fields[field.rawValue] = fault.sentence }
        if reading.faults[.place] != nil, !reading.others.isEmpty {
            let names = reading.others.map(\.title).joined(separator: "; ")
            fields["place"] = "\(ChallengeFault.noPlace.sentence): \(names)"
        }
        return .notTaken(fields)
    }

    private func document(
        of id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard case .challenge(let challenge) = try await desk.challenges.challenge(id, for: context.viewer) else {
            throw Problem.noChallenge
        }
        return try await desk.document(challenge, context, status: status)
    }

    private struct FileDocument: Encodable { let id: String }

    private func file(_ id: HubID) throws -> Response {
        try .json(FileDocument(id: id.text), status: .created).personal
    }
}
