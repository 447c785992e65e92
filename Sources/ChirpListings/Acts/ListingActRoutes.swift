internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What is done with a listing: an act is a noun with one handler and two answers, a page and a document.
struct ListingActRoutes {
    let desk: ListingDesk

    var routes: [WebRoute] {
        asking + acts + programs
    }

    private func path(_ act: String) -> String { "\(ListingDesk.path)/:id/\(act)" }

    /// Pages that ask before something is done.
    private var asking: [WebRoute] {
        [
            .get(path("closure"), .active) { request, context in
                try await ask(request, context) { .settle($0) }
            },
            .get(path("renewal"), .active) { request, context in
                try await ask(request, context) { .renew($0) }
            },
            .get(path("withdrawal"), .active) { request, context in
                try await ask(request, context) { .withdraw($0, reason: "") }
            },
        ]
    }

    private var acts: [WebRoute] {
        [
            .post(path("closure"), .active) { request, context, form in
                try await act(request, context) { listing in
                    try await settle(listing, form["outcome"], try context.account)
                    return desk.goOn(to: listing.path)
                }
            },
            .post(path("renewal"), .active) { request, context, _ in
                try await act(request, context) { listing in
                    try await desk.store.renew(listing.id, by: try context.account)
                    return desk.goOn(to: listing.path)
                }
            },
            .post(path("withdrawal"), .active) { request, context, form in
                try await act(request, context) { listing in
                    do {
                        try await withdraw(listing, form["reason"], isSure: !form["sure"].isEmpty, try context.account)
                    } catch let refusal as ListingRefusal where !refusal.faults.isEmpty {
                        return page(
                            .withdraw(listing, reason: form["reason"]), request, context, faults: refusal.faults)
                    }
                    return desk.goOn(to: "\(ListingDesk.path)/mine")
                }
            },
            .post(path("telephone"), .active) { request, context, _ in
                try await desk.answering(request, context) {
                    let phone = try await phone(context)
                    return try await desk.page(request, context, phone: phone)
                }
            },
            .post(path("save"), .signedIn) { request, context, form in
                try await desk.answering(request, context) {
                    let listing = try await desk.listing(context)
                    try await desk.desk.mark(
                        listing.id, .save, isOn: !form["on"].isEmpty, by: try context.account)
                    return desk.goOn(to: listing.path)
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        func path(_ act: String) -> String { "\(ListingDesk.api)/:id/\(act)" }
        return [
            .api(
                .post, path("closure"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Settles a listing",
                takes: [.text("outcome", "found or returned")]
            ) { request, context in
                try await actByProgram(request, context) { listing, fields in
                    try await settle(listing, fields["outcome"] ?? "", try context.account)
                }
            },
            .api(
                .post, path("renewal"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Lets a listing last as long again as a new one"
            ) { request, context in
                try await actByProgram(request, context) { listing, _ in
                    try await desk.store.renew(listing.id, by: try context.account)
                }
            },
            .api(
                .post, path("withdrawal"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Takes a listing back: it is gone for everybody else",
                takes: [.text("reason"), .flag("sure", isRequired: true)]
            ) { request, context in
                try await actByProgram(request, context) { listing, fields in
                    try await withdraw(
                        listing, fields["reason"] ?? "", isSure: fields.bool("sure") == true, try context.account)
                }
            },
            .api(
                .post, path("telephone"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "The telephone number, which is counted"
            ) { request, context in
                try await desk.answering(request, context) {
                    try .json(PhoneDocument(phone: try await phone(context))).personal
                }
            },
            .api(.put, path("save"), .active, scope: "write:bookmarks", summary: "Saves a listing") {
                try await save($0, $1, isOn: true)
            },
            .api(.delete, path("save"), .active, scope: "write:bookmarks", summary: "Saves a listing no longer") {
                try await save($0, $1, isOn: false)
            },
        ]
    }

    private struct PhoneDocument: Encodable { let phone: String }

    // MARK: the acts themselves

    private func settle(_ listing: Listing, _ outcome: String, _ account: AccountID) async throws {
        guard let outcome = ListingStore.Outcome(rawValue: outcome) else {
            throw ListingRefusal.fields([.outcome: outcome.isEmpty ? .missing : .unknown])
        }
        try await desk.store.settle(listing.id, as: outcome, by: account)
    }

    private func withdraw(_ listing: Listing, _ reason: String, isSure: Bool, _ account: AccountID) async throws {
        guard isSure else { throw ListingRefusal.fields([.sure: .missing]) }
        try await desk.store.withdraw(listing.id, reason: reason, by: account)
    }

    private func phone(_ context: WebContext) async throws -> String {
        let (listing, account) = (try await desk.listing(context), try context.account)
        guard listing.hasPhone else { throw ListingRefusal.noPhone }
        if listing.item.author.id != account { try await desk.consume("listing-call", ListingDesk.Rule.calls, account) }
        return try await desk.store.phone(of: listing.id, by: account)
    }

    private func save(_ request: Request, _ context: WebContext, isOn: Bool) async throws -> Response {
        try await desk.answering(request, context) {
            let sight = context.reading("read:statuses")
            let listing = try await desk.listing(sight)
            try await desk.desk.mark(listing.id, .save, isOn: isOn, by: try context.account)
            return try await document(of: listing.id, sight)
        }
    }

    // MARK: how they are answered

    private func ask(
        _ request: Request, _ context: WebContext, _ question: (Listing) -> ListingQuestion
    ) async throws -> Response {
        try await desk.answering(request, context) {
            page(question(try await desk.own(context)), request, context)
        }
    }

    private func page(
        _ question: ListingQuestion, _ request: Request, _ context: WebContext,
        faults: [ListingField: ListingFault] = [:]
    ) -> Response {
        desk.show(request, context, status: faults.isEmpty ? .ok : .unprocessableContent) { token in
            ListingQuestionPage(question: question, faults: faults, token: token ?? "", links: desk.links).html
        }
    }

    private func act(
        _ request: Request, _ context: WebContext, _ body: (Listing) async throws -> Response
    ) async throws -> Response {
        try await desk.answering(request, context) {
            let listing = try await desk.own(context)
            let answer = try await body(listing)
            if answer.status == .seeOther { await desk.changed() }
            return answer
        }
    }

    private func actByProgram(
        _ request: Request, _ context: WebContext, _ body: (Listing, RequestFields) async throws -> Void
    ) async throws -> Response {
        try await desk.answering(request, context) {
            let fields = try await request.fields()
            let listing = try await desk.own(context)
            try await body(listing, fields)
            await desk.changed()
            return try await document(of: listing.id, context)
        }
    }

    private func document(of id: HubID, _ context: WebContext) async throws -> Response {
        guard case .listing(let listing) = try await desk.store.listing(id, for: context.viewer) else {
            throw Problem.noListing
        }
        return try .json(ListingDocument(listing, links: desk.links)).personal
    }
}
