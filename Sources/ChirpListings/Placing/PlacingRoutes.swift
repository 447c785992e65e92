internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// Placing a listing, and changing one: a form for people, and the same for programs.
struct PlacingRoutes {
    let desk: ListingDesk

    private var files: ListingFiles { ListingFiles(desk: desk) }

    var routes: [WebRoute] {
        [
            .get("\(ListingDesk.path)/new", .active) { request, context in
                let asked = request.asked
                let form = ListingForm(side: asked["side"] ?? "", category: asked["category"] ?? "")
                return page(form, nil, request, context)
            },
            .post("\(ListingDesk.path)/new", .active, files: ListingFiles.inForm, upTo: ListingFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request, context) { try await place(request, context, sent) }
            },
            .get("\(ListingDesk.path)/:id/edit", .active) { request, context in
                try await desk.answering(request, context) {
                    let listing = try await editable(context)
                    let phone = try await desk.store.calls(of: listing.id, by: try context.account).phone
                    return page(ListingForm(listing, phone: phone), listing, request, context)
                }
            },
            .post("\(ListingDesk.path)/:id/edit", .active, files: ListingFiles.inForm, upTo: ListingFiles.mostFormBytes)
            {
                request, context, sent in
                try await desk.answering(request, context) { try await change(request, context, sent) }
            },
            .api(
                .post, ListingDesk.api, .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Places a listing in Lost & Found", takes: Self.fields, gives: 201
            ) { request, context in
                try await desk.answering(request, context) { try await placeByProgram(request, context) }
            },
            .api(
                .put, "\(ListingDesk.api)/:id", .active, scope: ["read:statuses", "write:statuses"],
                body: .upTo(Form.mostBytes),
                summary: "Puts another content in the place of an open listing's", takes: Self.fields
            ) { request, context in
                try await desk.answering(request, context) { try await changeByProgram(request, context) }
            },
            .api(
                .post, "\(ListingDesk.api)/pictures", .active, scope: "write:media",
                body: .upload(upTo: ListingFiles.mostPictureBytes), summary: "Takes in a picture for a listing",
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await context.receive(request, upTo: ListingFiles.mostPictureBytes)
                    return try file(try await files.picture(sent, of: try context.account))
                }
            },
            .api(
                .post, "\(ListingDesk.api)/clips", .active, scope: "write:media",
                body: .upload(upTo: ListingFiles.mostClipBytes), summary: "Takes in what is said in a listing",
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await context.receive(request, upTo: ListingFiles.mostClipBytes)
                    return try file(try await files.clip(sent, title: "", of: try context.account))
                }
            },
        ]
    }

    /// What programs send; the same names as in the form.
    private static let fields: [WebField] = [
        .text("side", "lost or found"), .text("category", "one of the categories"), .text("title"),
        .text("text", isRequired: false), .text("language", isRequired: false),
        .text("place", isRequired: false, "its name"),
        .text("at", isRequired: false, "latitude,longitude"),
        .text("precision", isRequired: false, "exact, near (within 300 m) or town"),
        .text("from", isRequired: false, "when it happened, ISO 8601"), .text("to", isRequired: false),
        .text("handover", isRequired: false, "collect, bring, office, post or agree"),
        .text("reward", isRequired: false), .text("phone", isRequired: false), .text("question", isRequired: false),
        .list("pictures", "at most six ids"), .text("clip", isRequired: false, "an id"),
        .text("key", isRequired: false, "the same for each try"),
        .number("version", "of the listing that was changed"),
    ]

    // MARK: by people

    private func place(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let account = try context.account
        var form = ListingForm(one: { sent.fields[$0] }, list: { sent.fields.list($0) })
        let faults = try await files.add(sent, to: &form, of: account)
        return try await again(form, nil, faults, request, context) { draft in
            try await desk.consume("listing-placing", ListingDesk.Rule.placing, account)
            return try await desk.store.create(draft, by: account, key: "form:\(form.key)")
        }
    }

    private func change(_ request: Request, _ context: WebContext, _ sent: FileForm) async throws -> Response {
        let listing = try await editable(context)
        let account = try context.account
        var form = ListingForm(one: { sent.fields[$0] }, list: { sent.fields.list($0) })
        form[.side] = listing.side.rawValue
        let faults = try await files.add(sent, to: &form, of: account)
        return try await again(form, listing, faults, request, context) { draft in
            try await desk.store.edit(listing.id, version: form.version, to: draft, by: account)
            return listing.id
        }
    }

    /// Does it, or shows the form again with everything that was typed and what is wrong with it.
    private func again(
        _ form: ListingForm, _ listing: Listing?, _ faults: [ListingField: ListingFault], _ request: Request,
        _ context: WebContext, _ act: (ListingDraft) async throws -> HubID
    ) async throws -> Response {
        var reading = try await form.read(at: desk.desk.library.now(), in: desk.desk.gazetteer)
        if form.isMapChange {
            // Only the map was moved: nothing is wrong yet.
            var moved = form
            moved.look(at: reading.town)
            reading.faults = faults
            return page(moved, listing, request, context, reading: reading)
        }
        reading.faults.merge(faults) { _, file in file }
        var problem: ListingRefusal?
        if reading.faults.isEmpty, let draft = reading.draft {
            do {
                let id = try await act(draft)
                await desk.changed()
                return desk.goOn(to: "\(ListingDesk.path)/\(id)")
            } catch let refusal as ListingRefusal where refusal.status != .notFound && refusal.status != .gone {
                problem = refusal
                reading.faults = refusal.faults
            }
        }
        let status = problem?.status ?? .unprocessableContent
        var shown = form
        shown.look(at: reading.town)
        var answer = page(
            shown, listing, request, context, reading: reading, problem: problem?.sentence, status: status)
        if let seconds = problem?.wait { answer.headers[.retryAfter] = "\(seconds)" }
        return answer
    }

    private func page(
        _ form: ListingForm, _ listing: Listing?, _ request: Request, _ context: WebContext,
        reading: ListingForm.Reading = .init(), problem: String? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        desk.show(request, context, status: status) { token in
            ListingFormPage(
                form: form, listing: listing, reading: reading, problem: problem, token: token ?? "",
                takesPictures: desk.desk.takePicture != nil, takesClips: desk.desk.takeClip != nil,
                ground: desk.ground, links: desk.links
            ).html
        }
    }

    /// The asker's own, while it can be changed.
    private func editable(_ context: WebContext) async throws -> Listing {
        let listing = try await desk.own(context)
        guard listing.item.state == .open || listing.item.state == .draft else {
            throw ListingRefusal.item(.state(listing.item.state))
        }
        guard !listing.item.isFrozen else { throw ListingRefusal.item(.frozen) }
        return listing
    }

    // MARK: by programs

    private func placeByProgram(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.account
        let form = try await sent(request)
        let draft = try await draft(form)
        try await desk.consume("listing-placing", ListingDesk.Rule.placing, account)
        let id = try await desk.store.create(draft, by: account, key: "api:\(form.key)")
        await desk.changed()
        return try await document(of: id, context, status: .created)
    }

    private func changeByProgram(_ request: Request, _ context: WebContext) async throws -> Response {
        let listing = try await editable(context)
        var form = try await sent(request)
        form[.side] = listing.side.rawValue
        let draft = try await draft(form)
        try await desk.store.edit(listing.id, version: form.version, to: draft, by: try context.account)
        await desk.changed()
        return try await document(of: listing.id, context)
    }

    private func sent(_ request: Request) async throws -> ListingForm {
        let fields = try await request.fields()
        var form = ListingForm(one: { fields[$0] ?? "" }, list: { fields.list($0) })
        if let key = request.headers[.idempotencyKey] { form.key = String(key.prefix(64)) }
        return form
    }

    private func draft(_ form: ListingForm) async throws -> ListingDraft {
        let reading = try await form.read(at: desk.desk.library.now(), in: desk.desk.gazetteer)
        guard let draft = reading.draft else {
            var fields: [String: String] = [:]
            for (field, fault) in reading.faults { fields[field.rawValue] = fault.sentence }
            if reading.faults[.place] != nil, !reading.others.isEmpty {
                let names = reading.others.map(\.title).joined(separator: "; ")
                fields["place"] = "\(ListingFault.noPlace.sentence): \(names)"
            }
            throw Problem.notTaken(fields)
        }
        return draft
    }

    private func document(
        of id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard case .listing(let listing) = try await desk.store.listing(id, for: context.viewer) else {
            throw Problem.noListing
        }
        return try .json(ListingDocument(listing, links: desk.links), status: status).personal
    }

    private struct FileDocument: Encodable { let id: String }

    private func file(_ id: HubID) throws -> Response {
        try .json(FileDocument(id: id.text), status: .created).personal
    }
}
